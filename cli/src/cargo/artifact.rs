//! Finds a built executable in cargo's JSON messages.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The relevant fields of a message of `cargo build --message-format=json`.
#[derive(Debug, Deserialize)]
struct Message {
    reason: String,
    manifest_path: Option<PathBuf>,
    target: Option<CargoTarget>,
    executable: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct CargoTarget {
    name: String,
}

/// Returns the executable `name`, preferring that of `package` if several packages have one.
pub(super) fn executable(messages: &str, name: &str, package: &Path) -> Option<PathBuf> {
    let mut found = None;
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let Ok(message) = serde_json::from_str::<Message>(line) else {
            continue;
        };
        let is_match = message.reason == "compiler-artifact"
            && message.target.is_some_and(|target| target.name == name);
        if let (true, Some(executable)) = (is_match, message.executable) {
            if message.manifest_path.as_deref() == Some(package) {
                return Some(executable);
            }
            found = Some(executable);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefers_the_executable_of_the_package() {
        let messages = r#"
warning: not JSON
{"reason":"compiler-artifact","manifest_path":"/p/api/Cargo.toml","target":{"name":"demo-api"},"executable":null}
{"reason":"compiler-artifact","manifest_path":"/p/api/Cargo.toml","target":{"name":"crdgen"},"executable":"/t/crdgen"}
{"reason":"compiler-artifact","manifest_path":"/p/b/Cargo.toml","target":{"name":"crdgen"},"executable":"/t/other"}
{"reason":"build-finished","success":true}
"#;
        let found = |package| executable(messages, "crdgen", Path::new(package));
        assert_eq!(found("/p/api/Cargo.toml"), Some("/t/crdgen".into()));
        assert_eq!(found("/elsewhere/Cargo.toml"), Some("/t/other".into()));
        assert_eq!(
            executable(messages, "nothing", Path::new("/p/api/Cargo.toml")),
            None
        );
    }
}
