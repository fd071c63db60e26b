//! Where an index or an archive is: at a URL, or in a file.

use std::{fmt, path::PathBuf, str::FromStr};

/// The index of the Kubernetes project.
const PUBLISHED: &str =
    "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml";

/// A URL of http or https, or a file: a path, or a URL of it. The default is the index that the Kubernetes project publishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A URL of http or https.
    Url(String),
    /// A file.
    File(PathBuf),
}

/// A text that is no location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} cannot be read from: write a URL of http or https, or the path of a file")]
pub struct LocationError(String);

impl Location {
    /// What a link in this document leads to.
    pub(crate) fn join(&self, link: &str) -> Result<Self, LocationError> {
        if link.contains("://") {
            return match (self, link.parse()?) {
                // What comes from elsewhere has no business with the files of this machine.
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
        Self::Url(PUBLISHED.to_owned())
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
    fn links_lead_on_from_the_index() {
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
    fn links_lead_on_from_a_file() {
        assert_eq!(joined("/mirror/index.yaml", "a.tar.gz"), "/mirror/a.tar.gz");
        assert_eq!(joined("file:///mirror/index.yaml", "/else/a"), "/else/a");
        assert_eq!(joined("index.yaml", "a.tar.gz"), "a.tar.gz");
    }

    #[test]
    fn other_protocols_are_refused() {
        for text in ["", "ftp://host/index.yaml", "http://"] {
            assert!(text.parse::<Location>().is_err(), "{text}");
        }
    }
}
