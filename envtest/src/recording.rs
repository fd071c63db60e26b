//! Files with the calls of operators under test, for `kb-rs generate rbac --report-unused`.
//!
//! Path: `kb-rs/calls/PACKAGE/PROGRAM-TEST-NAMESPACE.json` in cargo's target directory, with the namespace of the operator. The target
//! directory is that of the test executable, otherwise `CARGO_TARGET_DIR`, otherwise `target` next to Cargo.toml. Without cargo, nothing is
//! written.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread,
};

use serde::Serialize;

use crate::{Call, Error};

/// Content of a file. The namespace replaces the placeholder in the manifests.
#[derive(Serialize)]
struct Recording<'a> {
    namespace: &'a str,
    #[serde(flatten)]
    recorded: &'a RecordedCalls,
}

/// Calls of an operator.
#[derive(Clone, Default, Serialize)]
pub(crate) struct RecordedCalls {
    pub(crate) calls: BTreeSet<Call>,
    /// Writes that conflicted with an earlier write of the operator itself.
    #[serde(rename = "staleWrites", skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) stale_writes: BTreeSet<Call>,
}

/// Calls written by this process: operators of a test may use the same namespace one after the other.
static WRITTEN: Mutex<BTreeMap<PathBuf, RecordedCalls>> = Mutex::new(BTreeMap::new());

/// Adds the calls of an operator to its file.
pub(crate) fn write(namespace: &str, recorded: RecordedCalls) -> Result<(), Error> {
    match path(namespace) {
        Some(path) => write_to(&path, namespace, recorded),
        None => Ok(()),
    }
}

fn write_to(path: &Path, namespace: &str, new: RecordedCalls) -> Result<(), Error> {
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    let recorded = written.entry(path.to_owned()).or_default();
    recorded.calls.extend(new.calls);
    recorded.stale_writes.extend(new.stale_writes);
    let recording = Recording {
        namespace,
        recorded,
    };
    let mut text = serde_json::to_string_pretty(&recording).expect("calls are valid JSON");
    text.push('\n');
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| replace(path, &text))
        .map_err(|source| Error::File {
            path: path.to_owned(),
            action: "write",
            source,
        })
}

/// Replaces a file atomically.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

fn path(namespace: &str) -> Option<PathBuf> {
    let package = env::var_os("CARGO_PKG_NAME")?;
    let program = env::current_exe().ok()?;
    let target = target(&program, env::var_os("CARGO_TARGET_DIR").map(PathBuf::from))?;
    let program = name(program.file_stem()?.to_str()?);
    // The test harness names the thread after the test.
    let thread = thread::current();
    let test = thread.name().unwrap_or_default().replace("::", "-");
    let folder = target.join("kb-rs/calls").join(package);
    Some(folder.join(format!("{program}-{test}-{namespace}.json")))
}

/// Returns cargo's target directory, which is tagged as a cache directory.
fn target(program: &Path, named: Option<PathBuf>) -> Option<PathBuf> {
    let is_tagged = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
    let tagged = || program.ancestors().find(is_tagged).map(Path::to_owned);
    let beside = || Some(PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("target"));
    tagged().or(named).or_else(beside)
}

/// Strips cargo's hash from the name of a test executable.
fn name(program: &str) -> &str {
    let is_hash =
        |hash: &str| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    match program.rsplit_once('-') {
        Some((name, hash)) if is_hash(hash) => name,
        _ => program,
    }
}

#[cfg(test)]
mod tests {
    use http::Method;
    use tempfile::TempDir;

    use super::*;

    fn call(method: &Method, uri: &str) -> Call {
        Call::of(method, &uri.parse().unwrap())
    }

    #[test]
    fn operators_in_a_namespace_share_a_file() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("calls/demo/test-shop.json");
        let watch = call(&Method::GET, "/apis/apps/v1/deployments?watch=1");
        let version = call(&Method::GET, "/version");
        let calls = |calls: &[&Call]| RecordedCalls {
            calls: calls.iter().copied().cloned().collect(),
            stale_writes: BTreeSet::new(),
        };
        write_to(&path, "shop", calls(&[&version, &watch])).unwrap();
        let get = call(&Method::GET, "/api/v1/namespaces/a/pods/p");
        let mut recorded = calls(&[&get, &watch]);
        recorded.stale_writes.insert(get);
        write_to(&path, "shop", recorded).unwrap();
        let text = fs::read_to_string(path).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let expected = serde_json::json!({"namespace": "shop", "calls": [
            {"verb": "get", "group": "", "resource": "pods", "namespace": "a", "name": "p"},
            {"verb": "watch", "group": "apps", "resource": "deployments"},
            {"verb": "get", "url": "/version"},
        ], "staleWrites": [
            {"verb": "get", "group": "", "resource": "pods", "namespace": "a", "name": "p"},
        ]});
        assert_eq!(value, expected);
    }

    #[test]
    fn the_target_directory_contains_the_executable() {
        let root = TempDir::new().unwrap();
        let program = root.path().join("out/x86_64/debug/deps/test");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::write(root.path().join("out/CACHEDIR.TAG"), "").unwrap();
        assert_eq!(target(&program, None), Some(root.path().join("out")));
        let named = PathBuf::from("/named");
        let elsewhere = Path::new("/elsewhere/test");
        assert_eq!(target(elsewhere, Some(named.clone())), Some(named));
    }

    #[test]
    fn the_hash_is_stripped_from_names() {
        assert_eq!(name("app_service-0123456789abcdef"), "app_service");
        assert_eq!(name("app-service"), "app-service");
    }
}
