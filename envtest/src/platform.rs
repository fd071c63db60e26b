//! What a binary runs on, by the names that Go has for it.

use std::{env, fmt, str::FromStr};

/// An operating system and a processor, such as `linux/amd64`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Platform {
    os: String,
    arch: String,
}

impl Platform {
    /// That of this machine.
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

    /// Splits `NAME-OS-ARCH`, the form of folders and archives.
    pub(crate) fn split(name: &str) -> Option<(&str, Self)> {
        let (name, arch) = name.rsplit_once('-')?;
        let (name, os) = name.rsplit_once('-')?;
        Some((name, Self::new(os, arch)))
    }

    /// `OS-ARCH`, for names of folders.
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

/// A text that is no platform.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no platform: write OS/ARCH, such as linux/amd64 or darwin/arm64")]
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
    fn a_platform_is_read_as_it_is_written() {
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
