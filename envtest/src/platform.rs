//! Platforms, in Go's naming.

use std::{env, fmt, str::FromStr};

/// Operating system and architecture, such as `linux/amd64`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Platform {
    os: String,
    arch: String,
}

impl Platform {
    /// Returns the platform of this machine.
    pub fn current() -> Self {
        let os = match env::consts::OS {
            "macos" => "darwin",
            other => other,
        };
        let arch = match env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            "powerpc64" => "ppc64le",
            other => other,
        };
        Self::new(os, arch)
    }

    /// Splits `NAME-OS-ARCH`, as in the names of directories and archives.
    pub(crate) fn split(name: &str) -> Option<(&str, Self)> {
        let (name, arch) = name.rsplit_once('-')?;
        let (name, os) = name.rsplit_once('-')?;
        Some((name, Self::new(os, arch)))
    }

    /// Returns `OS-ARCH`, for directory names.
    #[cfg(any(test, feature = "download"))]
    pub(crate) fn suffix(&self) -> String {
        format!("{}-{}", self.os, self.arch)
    }

    fn new(os: &str, arch: &str) -> Self {
        Self {
            os: os.to_owned(),
            arch: arch.to_owned(),
        }
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.os, self.arch)
    }
}

/// Error of parsing a [`Platform`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid platform {0:?}: expected OS/ARCH, such as linux/amd64 or darwin/arm64")]
pub struct PlatformError(String);

impl FromStr for Platform {
    type Err = PlatformError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric())
        };
        match text.split_once('/') {
            Some((os, arch)) if is_name(os) && is_name(arch) => Ok(Self::new(os, arch)),
            _ => Err(PlatformError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_round_trip() {
        let platform: Platform = "linux/ppc64le".parse().unwrap();
        assert_eq!(platform.to_string(), "linux/ppc64le");
        assert_eq!(platform.suffix(), "linux-ppc64le");
        let split = Platform::split("v1.36.3-v3.6.16-linux-ppc64le");
        assert_eq!(split, Some(("v1.36.3-v3.6.16", platform)));
        for text in ["linux", "linux/", "/amd64", "linux/arm/v7", "li-nux/amd64"] {
            assert!(text.parse::<Platform>().is_err(), "{text}");
        }
    }
}
