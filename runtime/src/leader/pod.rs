//! Host name and namespace of the Pod that this process runs in.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::{env, fs};

use super::ConfigError;

const NAMESPACE: &str = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";
const HOST_NAMES: [&str; 2] = ["/proc/sys/kernel/hostname", "/etc/hostname"];
const HOST_VARIABLES: [&str; 2] = ["HOSTNAME", "COMPUTERNAME"];

/// Returns the host name with a random suffix: `shop-6d4cf56db6-x2x7k_5f0c7a6e9d3b1842`.
pub(super) fn identity() -> String {
    let host = host().unwrap_or_else(|| "unknown-host".to_owned());
    // The keys of std's hash maps are random, which suffices here.
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

/// Returns the namespace of the Pod.
pub(super) fn namespace() -> Result<String, ConfigError> {
    namespace_in(Path::new(NAMESPACE))
}

fn namespace_in(path: &Path) -> Result<String, ConfigError> {
    let error = |problem: String| ConfigError::NoNamespace {
        path: path.to_owned(),
        problem,
    };
    let text = fs::read_to_string(path).map_err(|source| error(source.to_string()))?;
    match text.trim() {
        "" => Err(error("file is empty".to_owned())),
        namespace => Ok(namespace.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_on_one_host_have_different_identities() {
        let (one, other) = (identity(), identity());
        assert_ne!(one, other);
        let host = |identity: &str| identity.rsplit_once('_').unwrap().0.to_owned();
        assert_eq!(host(&one), host(&other));
        assert!(!host(&one).is_empty());
    }

    #[test]
    fn reads_the_namespace_from_the_service_account_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("namespace");
        fs::write(&path, "shop-system\n").unwrap();
        assert_eq!(namespace_in(&path).unwrap(), "shop-system");
    }

    #[test]
    fn outside_a_pod_the_error_names_the_flag() {
        let error = namespace_in(Path::new("/nowhere/namespace")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "failed to determine the leader election namespace from /nowhere/namespace: No such file or directory (os error 2); \
             outside a Pod, pass --leader-election-namespace"
        );
    }
}
