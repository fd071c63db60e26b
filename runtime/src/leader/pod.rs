//! What a pod knows of itself: its name, which is its host's, and its namespace.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::{env, fs};

use super::ConfigError;

const NAMESPACE: &str = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";
const HOST_NAMES: [&str; 2] = ["/proc/sys/kernel/hostname", "/etc/hostname"];
const HOST_VARIABLES: [&str; 2] = ["HOSTNAME", "COMPUTERNAME"];

/// The host's name and a random id: `shop-6d4cf56db6-x2x7k_5f0c7a6e9d3b1842`.
pub(super) fn identity() -> String {
    let host = host().unwrap_or_else(|| "unknown-host".to_owned());
    // The keys of std's hash maps are random, and that is all that is needed here.
    format!("{host}_{:016x}", RandomState::new().hash_one(&host))
}

fn host() -> Option<String> {
    let variables = HOST_VARIABLES.iter().filter_map(|name| env::var(name).ok());
    let files = HOST_NAMES
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok());
    let mut names = variables.chain(files).map(|name| name.trim().to_owned());
    names.find(|name| !name.is_empty())
}

/// The namespace of the pod that this runs in.
pub(super) fn namespace() -> Result<String, ConfigError> {
    namespace_in(Path::new(NAMESPACE))
}

fn namespace_in(path: &Path) -> Result<String, ConfigError> {
    let unknown = |problem: String| ConfigError::NoNamespace {
        path: path.to_owned(),
        problem,
    };
    let text = fs::read_to_string(path).map_err(|error| unknown(error.to_string()))?;
    match text.trim() {
        "" => Err(unknown("it is empty".to_owned())),
        namespace => Ok(namespace.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_processes_on_one_host_are_two_candidates() {
        let (one, other) = (identity(), identity());
        assert_ne!(one, other);
        let host = |identity: &str| identity.rsplit_once('_').unwrap().0.to_owned();
        assert_eq!(host(&one), host(&other));
        assert!(!host(&one).is_empty());
    }

    #[test]
    fn the_namespace_is_read_from_the_file_of_the_service_account() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("namespace");
        fs::write(&path, "shop-system\n").unwrap();
        assert_eq!(namespace_in(&path).unwrap(), "shop-system");
    }

    #[test]
    fn outside_of_a_pod_the_error_says_which_flag_to_give() {
        let error = namespace_in(Path::new("/nowhere/namespace"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("/nowhere/namespace"), "{error}");
        assert!(
            error.ends_with("give --leader-election-namespace"),
            "{error}"
        );
    }
}
