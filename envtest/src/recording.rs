//! Files with the calls of an operator under test, for `kb-rs generate rbac --report-unused`.
//!
//! They are `kb-rs/calls/PACKAGE/PROGRAM-TEST-NAMESPACE.json` in cargo's target folder: PACKAGE is the package of the test, PROGRAM and TEST
//! are its names, NAMESPACE is that of the operator. The target folder is the one that the test's program is in, or the one that
//! `CARGO_TARGET_DIR` names, or `target` beside Cargo.toml. Where a test is not run by cargo, nothing is written.

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

/// What the file holds. The operator's namespace is what rules call by another name.
#[derive(Serialize)]
struct Recording<'a> {
    namespace: &'a str,
    #[serde(flatten)]
    recorded: &'a Recorded,
}

/// What operators called.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Recorded {
    pub(crate) calls: BTreeSet<Call>,
    /// Those that had to conflict.
    #[serde(rename = "staleWrites", skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) stale_writes: BTreeSet<Call>,
}

/// The calls of this process: several operators of a test may have one namespace, one after the other.
static WRITTEN: Mutex<BTreeMap<PathBuf, Recorded>> = Mutex::new(BTreeMap::new());

/// Adds the calls of an operator to its file.
pub(crate) fn write(namespace: &str, recorded: Recorded) -> Result<(), Error> {
    match path(namespace) {
        Some(path) => write_to(&path, namespace, recorded),
        None => Ok(()),
    }
}

fn write_to(path: &Path, namespace: &str, new: Recorded) -> Result<(), Error> {
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    let recorded = written.entry(path.to_owned()).or_default();
    recorded.calls.extend(new.calls);
    recorded.stale_writes.extend(new.stale_writes);
    let recording = Recording {
        namespace,
        recorded,
    };
    let mut text = serde_json::to_string_pretty(&recording).expect("it is JSON");
    text.push('\n');
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| replace(path, &text))
        .map_err(|source| Error::File {
            path: path.to_owned(),
            action: "written",
            source,
        })
}

/// Writes a file at once: who reads it meanwhile reads the old one or the new one.
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
    // The harness names a test's thread by the test.
    let thread = thread::current();
    let test = thread.name().unwrap_or_default().replace("::", "-");
    let folder = target.join("kb-rs/calls").join(package);
    Some(folder.join(format!("{program}-{test}-{namespace}.json")))
}

/// cargo's target folder: what it makes itself has a tag for programs that make backups.
fn target(program: &Path, named: Option<PathBuf>) -> Option<PathBuf> {
    let is_tagged = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
    let tagged = || program.ancestors().find(is_tagged).map(Path::to_owned);
    let beside = || Some(PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("target"));
    tagged().or(named).or_else(beside)
}

/// The name of a test's program without cargo's hash.
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
    fn operators_of_one_namespace_write_one_sorted_file() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("calls/demo/test-shop.json");
        let watch = call(&Method::GET, "/apis/apps/v1/deployments?watch=1");
        let version = call(&Method::GET, "/version");
        let calls = |calls: &[&Call]| Recorded {
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
    fn the_target_folder_is_the_one_that_the_program_is_in() {
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
    fn the_hash_is_no_part_of_a_tests_name() {
        assert_eq!(name("app_service-0123456789abcdef"), "app_service");
        assert_eq!(name("app-service"), "app-service");
    }
}
