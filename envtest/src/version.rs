//! Kubernetes versions and selectors for them.

use std::{fmt, str::FromStr};

/// A Kubernetes release, such as `v1.36.2`. Pre-releases (`-rc.1`) are not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

impl Version {
    pub(crate) fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self {
            major,
            minor,
            patch,
        }
    }

    #[cfg(feature = "download")]
    pub(crate) fn numbers(self) -> [u32; 3] {
        [self.major, self.minor, self.patch]
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// Error of parsing a [`Version`] or [`VersionSelector`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid version {0:?}: expected 1.36 (newest patch release), 1.36.2 or latest")]
pub struct VersionError(String);

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse()? {
            VersionSelector::Exact(version) => Ok(version),
            VersionSelector::Latest | VersionSelector::Minor(..) => {
                Err(VersionError(text.to_owned()))
            }
        }
    }
}

/// Selects versions: `1.36.2` or `v1.36.2`, `1.36` or `1.36.x`, `latest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionSelector {
    /// The newest version.
    Latest,
    /// The newest patch release of a minor version.
    Minor(u32, u32),
    /// Exactly this version.
    Exact(Version),
}

impl VersionSelector {
    /// Returns whether a version matches.
    pub fn matches(&self, version: Version) -> bool {
        match *self {
            Self::Latest => true,
            Self::Minor(major, minor) => (major, minor) == (version.major, version.minor),
            Self::Exact(exact) => exact == version,
        }
    }
}

impl fmt::Display for VersionSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latest => f.write_str("latest"),
            Self::Minor(major, minor) => write!(f, "v{major}.{minor}"),
            Self::Exact(version) => version.fmt(f),
        }
    }
}

impl FromStr for VersionSelector {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "latest" {
            return Ok(Self::Latest);
        }
        let number = |text: &str| {
            let is_number = text.bytes().all(|digit| digit.is_ascii_digit());
            is_number.then(|| text.parse().ok()).flatten()
        };
        let parts: Vec<&str> = text.strip_prefix('v').unwrap_or(text).split('.').collect();
        let selector = match parts[..] {
            [major, minor] | [major, minor, "x" | "X" | "*"] => number(major)
                .zip(number(minor))
                .map(|(major, minor)| Self::Minor(major, minor)),
            [major, minor, patch] => number(major)
                .zip(number(minor))
                .zip(number(patch))
                .map(|((major, minor), patch)| Self::Exact(Version::new(major, minor, patch))),
            _ => None,
        };
        selector.ok_or_else(|| VersionError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_parsed() {
        let minor = VersionSelector::Minor(1, 36);
        let exact = VersionSelector::Exact(Version::new(1, 36, 2));
        for (text, selector) in [
            ("latest", VersionSelector::Latest),
            ("1.36", minor),
            ("v1.36", minor),
            ("1.36.x", minor),
            ("1.36.*", minor),
            ("1.36.2", exact),
            ("v1.36.2", exact),
        ] {
            assert_eq!(text.parse(), Ok(selector), "{text}");
        }
    }

    #[test]
    fn invalid_selectors_are_rejected() {
        for text in [
            "",
            "1",
            "v",
            "1.x",
            "1.36.",
            "1.36.2.1",
            "1.36.0-rc.1",
            "+1.36",
            "~1.36",
        ] {
            assert!(text.parse::<VersionSelector>().is_err(), "{text}");
        }
        assert!("1.36".parse::<Version>().is_err());
    }

    #[test]
    fn selectors_match_versions() {
        let version: Version = "v1.36.2".parse().unwrap();
        let matches = |text: &str| text.parse::<VersionSelector>().unwrap().matches(version);
        assert!(matches("latest") && matches("1.36") && matches("1.36.2"));
        assert!(!matches("1.3") && !matches("2.36") && !matches("1.36.3"));
    }

    #[test]
    fn versions_are_ordered_numerically() {
        let version = |text: &str| text.parse::<Version>().unwrap();
        assert!(version("1.9.10") < version("1.10.2") && version("1.10.2") < version("1.10.10"));
    }
}
