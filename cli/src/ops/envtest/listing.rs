//! The list of installed and available versions.

use std::str::FromStr;

use kb_envtest::{Installation, Platform, PlatformError, Version, download::Index};
use serde::Serialize;

/// The platforms to list.
#[derive(Debug, Clone)]
pub(crate) enum Platforms {
    /// All platforms.
    All,
    /// One platform.
    One(Platform),
}

impl FromStr for Platforms {
    type Err = PlatformError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "all" => Ok(Self::All),
            text => text.parse().map(Self::One),
        }
    }
}

/// Versions, newest first.
#[derive(Debug, Serialize)]
pub(crate) struct Listing {
    versions: Vec<Row>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    version: String,
    platform: String,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip)]
    order: Version,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    InUse,
    Installed,
    Available,
}

impl Listing {
    /// Lists the installed versions.
    pub(crate) fn new(installed: &[Installation], in_use: Option<&Installation>) -> Self {
        let row = |one: &Installation| Row {
            version: one.version.to_string(),
            platform: Platform::current().to_string(),
            state: if in_use == Some(one) {
                State::InUse
            } else {
                State::Installed
            },
            path: Some(one.dir.display().to_string()),
            order: one.version,
        };
        Self {
            versions: installed.iter().map(row).collect(),
        }
    }

    /// Adds the versions that can be downloaded.
    pub(crate) fn add(&mut self, index: &Index, platforms: &Platforms) {
        let here = Platform::current();
        let mut listed = Vec::new();
        for release in index.releases() {
            let is_requested = match platforms {
                Platforms::All => true,
                Platforms::One(platform) => *platform == release.platform,
            };
            let is_installed = release.platform == here
                && self.versions.iter().any(|row| row.order == release.version);
            if is_requested && !is_installed {
                listed.push(Row {
                    version: release.version.to_string(),
                    platform: release.platform.to_string(),
                    state: State::Available,
                    path: None,
                    order: release.version,
                });
            }
        }
        if let Platforms::One(platform) = platforms {
            let platform = platform.to_string();
            self.versions.retain(|row| row.platform == platform);
        }
        self.versions.extend(listed);
        // The sort is stable: an installed version stays before the same version of another platform.
        self.versions
            .sort_by_key(|row| std::cmp::Reverse(row.order));
    }

    /// Returns whether the list is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.versions.is_empty()
    }

    /// Returns one line per version.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |row: &Row| {
            let state = match row.state {
                State::InUse => "in use",
                State::Installed => "installed",
                State::Available => "available",
            };
            let path = row.path.as_deref().unwrap_or_default();
            let line = format!("{:<10}{:<15}{state:<11}{path}", row.version, row.platform);
            line.trim_end().to_owned()
        };
        self.versions.iter().map(line).collect()
    }
}
