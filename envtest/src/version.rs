//! Versions of Kubernetes, and what somebody may ask for: one of them, the newest of a minor version, the newest of all.

use std::{fmt, str::FromStr};

/// A release of Kubernetes, such as `v1.36.2`. Versions before a release (`-rc.1`) are none.
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

/// A text that is no version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no version: write 1.36 for its newest patch release, 1.36.2 for just that one, or latest"
)]
pub struct VersionError(String);

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse()? {
            Wanted::Exact(version) => Ok(version),
            Wanted::Latest | Wanted::Minor(..) => Err(VersionError(text.to_owned())),
        }
    }
}

/// Which version is asked for: `1.36.2` or `v1.36.2`, `1.36` or `1.36.x`, `latest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The newest of all.
    Latest,
    /// The newest with this major and minor number.
    Minor(u32, u32),
    /// Just this one.
    Exact(Version),
}

impl Wanted {
    /// Whether this version will do.
    pub fn allows(&self, version: Version) -> bool {
        match *self {
            Self::Latest => true,
            Self::Minor(major, minor) => (major, minor) == (version.major, version.minor),
            Self::Exact(exact) => exact == version,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latest => f.write_str("latest"),
            Self::Minor(major, minor) => write!(f, "v{major}.{minor}"),
            Self::Exact(version) => version.fmt(f),
        }
    }
}

impl FromStr for Wanted {
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
        let wanted = match parts[..] {
            [major, minor] | [major, minor, "x" | "X" | "*"] => number(major)
                .zip(number(minor))
                .map(|(major, minor)| Self::Minor(major, minor)),
            [major, minor, patch] => number(major)
                .zip(number(minor))
                .zip(number(patch))
                .map(|((major, minor), patch)| Self::Exact(Version::new(major, minor, patch))),
            _ => None,
        };
        wanted.ok_or_else(|| VersionError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_asked_for_in_the_usual_forms() {
        let minor = Wanted::Minor(1, 36);
        let exact = Wanted::Exact(Version::new(1, 36, 2));
        for (text, wanted) in [
            ("latest", Wanted::Latest),
            ("1.36", minor),
            ("v1.36", minor),
            ("1.36.x", minor),
            ("1.36.*", minor),
            ("1.36.2", exact),
            ("v1.36.2", exact),
        ] {
            assert_eq!(text.parse(), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_the_forms_there_are() {
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
            let error = text.parse::<Wanted>().unwrap_err().to_string();
            assert!(error.contains("write 1.36 for its newest"), "{error}");
        }
        assert!("1.36".parse::<Version>().is_err());
    }

    #[test]
    fn a_version_is_allowed_by_what_it_is_one_of() {
        let version: Version = "v1.36.2".parse().unwrap();
        let allows = |text: &str| text.parse::<Wanted>().unwrap().allows(version);
        assert!(allows("latest") && allows("1.36") && allows("1.36.2"));
        assert!(!allows("1.3") && !allows("2.36") && !allows("1.36.3"));
    }

    #[test]
    fn versions_are_ordered_by_number() {
        let version = |text: &str| text.parse::<Version>().unwrap();
        assert!(version("1.9.10") < version("1.10.2") && version("1.10.2") < version("1.10.10"));
    }
}
