//! The index of releases, with the location and checksum of each archive.
//!
//! Format: `releases: {v1.36.2: {envtest-v1.36.2-linux-amd64.tar.gz: {hash: SHA-512 in hex, selfLink: URL}}}`. Ignores names of an unknown form,
//! for forward compatibility, and validates an entry only when it is used.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{DownloadError, Location, known_checksums};
use crate::{Platform, Version, VersionSelector};

/// Releases that can be downloaded.
#[derive(Debug)]
pub struct Index {
    location: Location,
    releases: Vec<Release>,
}

/// The binaries of a version for a platform.
#[derive(Debug)]
pub struct Release {
    /// Kubernetes version.
    pub version: Version,
    /// Platform.
    pub platform: Platform,
    name: String,
    entry: Entry,
    /// Embedded checksum; `None` for newer releases and other indexes.
    known: Option<&'static str>,
}

/// Location and checksum of an archive.
#[derive(Debug, Clone)]
pub(super) struct Archive {
    pub(super) location: Location,
    /// SHA-512 in lower-case hex.
    pub(super) checksum: String,
}

#[derive(Debug, Deserialize)]
struct Document {
    releases: BTreeMap<String, Option<BTreeMap<String, Option<Entry>>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    hash: Option<String>,
    self_link: Option<String>,
    /// `self_link`, resolved against the location of the index.
    #[serde(skip)]
    location: Option<Location>,
}

impl Index {
    /// Parses an index.
    pub(super) fn parse(location: &Location, text: &str) -> Result<Self, DownloadError> {
        let document: Document =
            serde_saphyr::from_str(text).map_err(|error| DownloadError::InvalidIndex {
                location: location.clone(),
                problem: first_line(&error.to_string()).to_owned(),
            })?;
        let archives = document.releases.into_values().flatten().flatten();
        let mut releases: Vec<Release> = archives
            .filter_map(|(name, entry)| Release::new(name, entry.unwrap_or_default(), location))
            .collect();
        releases.sort_by(|one, other| {
            let order = other.version.cmp(&one.version);
            order.then_with(|| one.platform.cmp(&other.platform))
        });
        Ok(Self {
            location: location.clone(),
            releases,
        })
    }

    /// Returns all releases, newest first.
    pub fn releases(&self) -> &[Release] {
        &self.releases
    }

    /// Finds the newest matching release for a platform.
    pub fn find(
        &self,
        selector: VersionSelector,
        platform: &Platform,
    ) -> Result<&Release, DownloadError> {
        let mut releases = self.releases.iter();
        let found = releases.find(|one| one.platform == *platform && selector.matches(one.version));
        found.ok_or_else(|| DownloadError::NoRelease {
            selector,
            platform: platform.clone(),
            location: self.location.clone(),
            alternatives: self.alternatives(selector, platform),
        })
    }

    /// Describes other platforms of the version, or other versions for the platform.
    fn alternatives(&self, selector: VersionSelector, platform: &Platform) -> String {
        let platforms: BTreeSet<String> = self
            .releases
            .iter()
            .filter(|one| selector.matches(one.version))
            .map(|one| one.platform.to_string())
            .collect();
        if !platforms.is_empty() {
            let names: Vec<String> = platforms.into_iter().collect();
            return format!("; available for {}", names.join(", "));
        }
        let newest = self.releases.iter().find(|one| one.platform == *platform);
        newest.map_or_else(String::new, |one| {
            format!("; the newest is {}", one.version)
        })
    }
}

impl Release {
    fn new(name: String, mut entry: Entry, index: &Location) -> Option<Self> {
        let stem = name.strip_prefix("envtest-")?.strip_suffix(".tar.gz")?;
        let (version, platform) = Platform::split(stem)?;
        let is_published = *index == Location::default();
        let known = is_published.then(|| known_checksums::get(stem)).flatten();
        let link = entry.self_link.as_deref();
        entry.location = link.and_then(|link| index.join(link).ok());
        Some(Self {
            version: version.parse().ok()?,
            platform,
            name,
            entry,
            known,
        })
    }

    /// Returns the name of its directory in a cache.
    pub(super) fn dir_name(&self) -> String {
        format!("{}-{}", self.version, self.platform.suffix())
    }

    /// Validates the entry.
    pub(super) fn archive(&self) -> Result<Archive, DownloadError> {
        let invalid = |problem| DownloadError::InvalidEntry {
            name: self.name.clone(),
            problem,
        };
        let checksum = self.entry.hash.as_deref().unwrap_or_default();
        if checksum.len() != 128 || !checksum.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(invalid("`hash` is not a SHA-512 of 128 hexadecimal digits"));
        }
        let checksum = checksum.to_ascii_lowercase();
        if let Some(known) = self.known.filter(|known| *known != checksum) {
            return Err(DownloadError::ChecksumChanged {
                name: self.name.clone(),
                known: known.to_owned(),
                listed: checksum,
            });
        }
        let location = self.entry.location.clone();
        Ok(Archive {
            location: location.ok_or_else(|| invalid("`selfLink` is not a URL"))?,
            checksum,
        })
    }
}

/// Returns the first line of a parser error, without its `error: ` prefix.
fn first_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(text: &str) -> Result<Index, DownloadError> {
        let location = "https://mirror.example/index.yaml".parse().unwrap();
        Index::parse(&location, text)
    }

    /// Like the official index, with unknown entries.
    fn published() -> Index {
        let sum = "0f".repeat(64);
        let archive = |name: &str| {
            format!(
                "    envtest-{name}.tar.gz:\n      hash: {sum}\n      selfLink: https://host/{name}.tar.gz\n"
            )
        };
        let text = [
            "schema: 2\nreleases:\n  v1.9.0:\n".to_owned(),
            archive("v1.9.0-linux-amd64"),
            "  v1.36.10:\n".to_owned(),
            archive("v1.36.10-darwin-arm64"),
            archive("v1.36.10-linux-amd64"),
            "    envtest-v1.36.10-linux-amd64.tar.zst: {hash: a, selfLink: b, size: 1}\n    readme: null\n".to_owned(),
            "  v1.36.2:\n".to_owned(),
            archive("v1.36.2-linux-amd64"),
            "  v1.37.0-rc.0:\n".to_owned(),
            archive("v1.37.0-rc.0-linux-amd64"),
            "  v1.38.0:\n".to_owned(),
        ];
        index(&text.concat()).unwrap()
    }

    fn found(wanted: &str, platform: &str) -> Result<String, String> {
        let index = published();
        let found = index.find(wanted.parse().unwrap(), &platform.parse().unwrap());
        found
            .map(|release| release.version.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn find_returns_the_newest_match() {
        for (wanted, version) in [
            ("latest", "v1.36.10"),
            ("1.36", "v1.36.10"),
            ("1.36.2", "v1.36.2"),
            ("1.9.x", "v1.9.0"),
        ] {
            assert_eq!(found(wanted, "linux/amd64").as_deref(), Ok(version));
        }
    }

    #[test]
    fn errors_list_alternatives() {
        let error = |selector, platform| found(selector, platform).unwrap_err();
        let index = "https://mirror.example/index.yaml";
        assert_eq!(
            error("1.35", "linux/amd64"),
            format!("no release v1.35 for linux/amd64 in {index}; the newest is v1.36.10")
        );
        assert_eq!(
            error("1.36.2", "darwin/arm64"),
            format!("no release v1.36.2 for darwin/arm64 in {index}; available for linux/amd64")
        );
        assert_eq!(
            error("latest", "plan9/mips"),
            format!(
                "no release latest for plan9/mips in {index}; available for darwin/arm64, linux/amd64"
            )
        );
    }

    #[test]
    fn invalid_indexes_are_rejected() {
        for text in [
            "<html>\n<body>Log in</body>",
            "{",
            "a list",
            "releases: 1",
            "",
        ] {
            let error = index(text).unwrap_err();
            assert!(
                matches!(error, DownloadError::InvalidIndex { .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn the_official_index_cannot_change_known_checksums() {
        let (stem, known) = (
            "v1.36.2-linux-amd64",
            known_checksums::get("v1.36.2-linux-amd64").unwrap(),
        );
        let archive = |location: &Location, stem: &str, sum: &str| {
            let text = format!(
                "releases: {{v1: {{envtest-{stem}.tar.gz: {{hash: {sum}, selfLink: https://host/a}}}}}}"
            );
            let index = Index::parse(location, &text).unwrap();
            index.releases()[0]
                .archive()
                .map(|archive| archive.checksum)
        };
        let published = Location::default();
        let mirror = "https://mirror.example/index.yaml".parse().unwrap();
        let other = "0f".repeat(64);
        let upper = known.to_ascii_uppercase();
        assert_eq!(archive(&published, stem, &upper).unwrap(), known);
        assert_eq!(archive(&mirror, stem, &other).unwrap(), other);
        assert_eq!(
            archive(&published, "v9.9.9-linux-amd64", &other).unwrap(),
            other
        );
        let error = archive(&published, stem, &other).unwrap_err();
        assert!(
            matches!(error, DownloadError::ChecksumChanged { .. }),
            "{error}"
        );
    }

    #[test]
    fn entries_without_checksum_are_rejected_when_used() {
        let text =
            "releases: {v1.36.0: {envtest-v1.36.0-linux-amd64.tar.gz: {hash: abc, selfLink: x}}}";
        let index = index(text).unwrap();
        let error = index.releases()[0].archive().unwrap_err();
        assert!(
            matches!(error, DownloadError::InvalidEntry { .. }),
            "{error}"
        );
    }
}
