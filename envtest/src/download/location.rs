//! Location of an index or archive: a URL or a file.

use std::{fmt, path::PathBuf, str::FromStr};

/// The official index.
const OFFICIAL: &str =
    "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml";

/// An HTTP(S) URL, a file URL or a path. The default is the index of the Kubernetes project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// HTTP or HTTPS URL.
    Url(String),
    /// File path.
    File(PathBuf),
}

/// Error of parsing a [`Location`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid location {0:?}: expected an http or https URL, or a file path")]
pub struct LocationError(String);

impl Location {
    /// Resolves a link relative to this location.
    pub(crate) fn join(&self, link: &str) -> Result<Self, LocationError> {
        if link.contains("://") {
            return match (self, link.parse()?) {
                // A remote index must not refer to local files.
                (Self::Url(_), Self::File(_)) => Err(LocationError(link.to_owned())),
                (_, location) => Ok(location),
            };
        }
        match self {
            Self::Url(base) => {
                let base = base.split(['?', '#']).next().unwrap_or_default();
                let host = base.find("://").map_or(0, |scheme| scheme + 3);
                let path = base[host..]
                    .find('/')
                    .map_or(base.len(), |path| host + path);
                let folder = base[path..].rfind('/').map_or(path, |slash| path + slash);
                Ok(Self::Url(match link.strip_prefix('/') {
                    Some(link) => format!("{}/{link}", &base[..path]),
                    None => format!("{}/{link}", &base[..folder]),
                }))
            }
            Self::File(file) => {
                let folder = file.parent().map(PathBuf::from).unwrap_or_default();
                Ok(Self::File(folder.join(link)))
            }
        }
    }
}

impl Default for Location {
    fn default() -> Self {
        Self::Url(OFFICIAL.to_owned())
    }
}

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once("://") {
            Some(("http" | "https", rest)) if !rest.is_empty() => Ok(Self::Url(text.to_owned())),
            Some(("file", path)) if cfg!(windows) => {
                Ok(Self::File(path.trim_start_matches('/').into()))
            }
            Some(("file", path)) if path.starts_with('/') => Ok(Self::File(path.into())),
            None if !text.is_empty() => Ok(Self::File(text.into())),
            _ => Err(LocationError(text.to_owned())),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => f.write_str(url),
            Self::File(file) => file.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(base: &str, link: &str) -> String {
        let base: Location = base.parse().unwrap();
        base.join(link).unwrap().to_string()
    }

    #[test]
    fn links_are_relative_to_the_index() {
        let index = "https://mirror.example/envtest/index.yaml?token=1/2";
        assert_eq!(
            joined(index, "https://else.example/a"),
            "https://else.example/a"
        );
        assert_eq!(
            joined(index, "a.tar.gz"),
            "https://mirror.example/envtest/a.tar.gz"
        );
        assert_eq!(
            joined(index, "/a.tar.gz"),
            "https://mirror.example/a.tar.gz"
        );
        assert_eq!(joined("http://host", "a"), "http://host/a");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_relative_to_a_file() {
        assert_eq!(joined("/mirror/index.yaml", "a.tar.gz"), "/mirror/a.tar.gz");
        assert_eq!(joined("file:///mirror/index.yaml", "/else/a"), "/else/a");
        assert_eq!(joined("index.yaml", "a.tar.gz"), "a.tar.gz");
    }

    #[test]
    fn other_schemes_are_rejected() {
        for text in ["", "ftp://host/index.yaml", "http://"] {
            assert!(text.parse::<Location>().is_err(), "{text}");
        }
    }
}
