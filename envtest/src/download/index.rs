//! The index of releases: which archives there are, where, and with which sum.
//!
//! The document says `releases: {v1.36.2: {envtest-v1.36.2-linux-amd64.tar.gz: {hash: SHA-512 in hex, selfLink: URL}}}`. Names in another
//! form are passed over, as they may be of a later time; an archive is looked at closely only when it is asked for.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{DownloadError, Location, known};
use crate::{Platform, Version, Wanted};

/// What can be downloaded.
#[derive(Debug)]
pub struct Index {
    location: Location,
    releases: Vec<Release>,
}

/// The binaries of one version, for one platform.
#[derive(Debug)]
pub struct Release {
    /// The version of Kubernetes.
    pub version: Version,
    /// What they run on.
    pub platform: Platform,
    name: String,
    entry: Entry,
    /// The sum that it had when this crate was made; none of a later release, or if the index is not the published one.
    known: Option<&'static str>,
}

/// An archive that can be downloaded and checked.
#[derive(Debug, Clone)]
pub(super) struct Archive {
    pub(super) location: Location,
    /// Its SHA-512, in lower-case hex.
    pub(super) sum: String,
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
    /// Where the link leads to, which only the whole document knows.
    #[serde(skip)]
    location: Option<Location>,
}

impl Index {
    /// Reads the text of an index that is at this location.
    pub(super) fn parse(location: &Location, text: &str) -> Result<Self, DownloadError> {
        let document: Document =
            serde_saphyr::from_str(text).map_err(|error| DownloadError::NoIndex {
                location: location.clone(),
                problem: first_line(&error.to_string()),
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

    /// Everything in it, the newest first.
    pub fn releases(&self) -> &[Release] {
        &self.releases
    }

    /// The newest that is wanted, for a platform.
    pub fn find(&self, wanted: Wanted, platform: &Platform) -> Result<&Release, DownloadError> {
        let mut releases = self.releases.iter();
        let found = releases.find(|one| one.platform == *platform && wanted.allows(one.version));
        found.ok_or_else(|| DownloadError::NoRelease {
            wanted,
            platform: platform.clone(),
            location: self.location.clone(),
            instead: self.instead(wanted, platform),
        })
    }

    /// What there is of the version, or else for the platform.
    fn instead(&self, wanted: Wanted, platform: &Platform) -> String {
        let platforms: BTreeSet<String> = self
            .releases
            .iter()
            .filter(|one| wanted.allows(one.version))
            .map(|one| one.platform.to_string())
            .collect();
        if !platforms.is_empty() {
            let names: Vec<String> = platforms.into_iter().collect();
            return format!("; it is there for {}", names.join(", "));
        }
        let newest = self.releases.iter().find(|one| one.platform == *platform);
        newest.map_or_else(String::new, |one| {
            format!("; its newest is {}", one.version)
        })
    }
}

impl Release {
    fn new(name: String, mut entry: Entry, index: &Location) -> Option<Self> {
        let stem = name.strip_prefix("envtest-")?.strip_suffix(".tar.gz")?;
        let (version, platform) = Platform::split(stem)?;
        let is_published = *index == Location::default();
        let known = is_published.then(|| known::sum(stem)).flatten();
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

    /// The name of its folder in a cache.
    pub(super) fn folder(&self) -> String {
        format!("{}-{}", self.version, self.platform.suffix())
    }

    /// What is needed to download it.
    pub(super) fn archive(&self) -> Result<Archive, DownloadError> {
        let malformed = |problem| DownloadError::Malformed {
            name: self.name.clone(),
            problem,
        };
        let sum = self.entry.hash.as_deref().unwrap_or_default();
        if sum.len() != 128 || !sum.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(malformed(
                "`hash` is not a SHA-512 of 128 hexadecimal digits",
            ));
        }
        let sum = sum.to_ascii_lowercase();
        if let Some(known) = self.known.filter(|known| *known != sum) {
            return Err(DownloadError::Replaced {
                name: self.name.clone(),
                known: known.to_owned(),
                listed: sum,
            });
        }
        let location = self.entry.location.clone();
        Ok(Archive {
            location: location.ok_or_else(|| malformed("`selfLink` is not a URL"))?,
            sum,
        })
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(text: &str) -> Result<Index, DownloadError> {
        let location = "https://mirror.example/index.yaml".parse().unwrap();
        Index::parse(&location, text)
    }

    /// As the published one, with things from a later time.
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
    fn the_newest_that_is_wanted_is_found() {
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
    fn what_is_missing_is_said_with_what_there_is() {
        let text = found("1.35", "linux/amd64").unwrap_err();
        assert!(text.contains("no v1.35 for linux/amd64"), "{text}");
        assert!(text.contains("newest is v1.36.10"), "{text}");
        let text = found("1.36.2", "darwin/arm64").unwrap_err();
        assert!(text.contains("it is there for linux/amd64"), "{text}");
        let text = found("latest", "plan9/mips").unwrap_err();
        assert!(text.contains("no latest for plan9/mips"), "{text}");
    }

    #[test]
    fn a_text_of_another_kind_is_refused() {
        for text in [
            "<html>\n<body>Log in</body>",
            "{",
            "a list",
            "releases: 1",
            "",
        ] {
            let error = index(text).unwrap_err().to_string();
            assert!(error.contains("mirror.example/index.yaml"), "{error}");
        }
    }

    #[test]
    fn the_published_index_cannot_change_a_known_release() {
        let (stem, known) = (
            "v1.36.2-linux-amd64",
            known::sum("v1.36.2-linux-amd64").unwrap(),
        );
        let archive = |location: &Location, stem: &str, sum: &str| {
            let text = format!(
                "releases: {{v1: {{envtest-{stem}.tar.gz: {{hash: {sum}, selfLink: https://host/a}}}}}}"
            );
            let index = Index::parse(location, &text).unwrap();
            index.releases()[0].archive().map(|archive| archive.sum)
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
        let error = archive(&published, stem, &other).unwrap_err().to_string();
        for part in ["envtest-v1.36.2-linux-amd64.tar.gz", known, &other] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn an_archive_without_a_sum_is_refused_when_it_is_asked_for() {
        let text =
            "releases: {v1.36.0: {envtest-v1.36.0-linux-amd64.tar.gz: {hash: abc, selfLink: x}}}";
        let index = index(text).unwrap();
        let error = index.releases()[0].archive().unwrap_err().to_string();
        assert!(
            error.contains("envtest-v1.36.0-linux-amd64.tar.gz"),
            "{error}"
        );
        assert!(error.contains("128 hexadecimal digits"), "{error}");
    }
}
