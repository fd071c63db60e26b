//! Finds the program that cargo built in the messages it prints.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A message of `cargo build --message-format=json`, as far as it matters here.
#[derive(Debug, Deserialize)]
struct Message {
    reason: String,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
}

/// The program called `name`. Where several packages have one, the one of `package` is meant.
pub(super) fn executable(messages: &str, name: &str, package: &Path) -> Option<PathBuf> {
    let mut found = None;
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let Ok(message) = serde_json::from_str::<Message>(line) else {
            continue;
        };
        let is_meant = message.reason == "compiler-artifact"
            && message.target.is_some_and(|target| target.name == name);
        if let (true, Some(executable)) = (is_meant, message.executable) {
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
    fn the_program_of_the_api_crate_is_taken() {
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
