//! Downloads from a local server, including misbehaving ones.
#![cfg(feature = "download")]
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod mirror;
mod resumption;
mod server;

use std::{fs, time::Duration};

use kb_envtest::{
    Cache, Installation, Platform, VersionSelector,
    download::{self, DownloadError, Downloader, Progress},
};
use tempfile::TempDir;

use self::{
    mirror::{Mirror, archive, control_plane},
    server::{Answer, Server},
};

/// Installs the newest release of a mirror into a new cache.
fn install(mirror: &Mirror) -> (TempDir, Result<Installation, DownloadError>) {
    let root = TempDir::new().unwrap();
    let installed = install_into(&Cache::at(root.path()), mirror);
    (root, installed)
}

fn install_into(cache: &Cache, mirror: &Mirror) -> Result<Installation, DownloadError> {
    install_by(&Downloader::default(), cache, mirror)
}

fn install_by(
    downloader: &Downloader,
    cache: &Cache,
    mirror: &Mirror,
) -> Result<Installation, DownloadError> {
    let index = downloader.index(&mirror.index())?;
    let release = index.find(VersionSelector::Latest, &Platform::current())?;
    downloader.install(release, cache, &mut |_| {})
}

/// Checks that the installation fails and nothing is installed.
fn rejected(mirror: &Mirror) -> DownloadError {
    let (root, installed) = install(mirror);
    let error = installed.unwrap_err();
    assert_eq!(Cache::at(root.path()).installed(), []);
    let staged = |name: &str| name.starts_with(".staged-");
    assert!(
        !names(&root).iter().any(|name| staged(name)),
        "{:?}",
        names(&root)
    );
    error
}

fn names(root: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(root.path()).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    entries
        .map(|entry| name(entry).into_string().unwrap())
        .collect()
}

#[test]
fn installed_binaries_are_in_use() {
    let mirror = Mirror::new(&["v1.36.2", "v1.9.0"], &control_plane());
    let (root, installed) = install(&mirror);
    let installed = installed.unwrap();
    assert_eq!(installed.version.to_string(), "v1.36.2");
    let cache = Cache::at(root.path());
    assert_eq!(cache.in_use().as_ref(), Some(&installed));
    let binaries = kb_envtest::Binaries::at(&installed.dir).unwrap();
    assert_eq!(binaries.dir(), installed.dir);
    let mut left = names(&root);
    left.sort();
    let folder = installed.dir.file_name().unwrap().to_str().unwrap();
    assert_eq!(left, [".lock", folder]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        for path in [installed.dir.join("etcd"), installed.dir] {
            let mode = fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o755);
        }
    }
}

#[test]
fn an_installed_version_is_not_downloaded_again() {
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    let root = TempDir::new().unwrap();
    let cache = Cache::at(root.path());
    let first = install_into(&cache, &mirror).unwrap();
    assert_eq!(install_into(&cache, &mirror).unwrap(), first);
    assert_eq!(mirror.archives_sent(), 1);
    fs::remove_file(
        first
            .dir
            .join(format!("etcd{}", std::env::consts::EXE_SUFFIX)),
    )
    .unwrap();
    install_into(&cache, &mirror).unwrap();
    assert_eq!(
        mirror.archives_sent(),
        2,
        "an incomplete version is installed again"
    );
}

#[test]
fn a_checksum_mismatch_installs_nothing() {
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    mirror.answer_archives(|_| Answer::ok(b"something else".to_vec()));
    let (root, installed) = install(&mirror);
    let Err(DownloadError::ChecksumMismatch {
        expected, actual, ..
    }) = installed
    else {
        panic!("{installed:?}");
    };
    assert_eq!(expected, mirror.sum());
    assert_eq!(actual, mirror::sum(b"something else"));
    assert_eq!(names(&root), [".lock"], "the download is discarded");
}

#[test]
fn a_missing_archive_is_reported() {
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    mirror.answer_archives(|_| Answer::status(404));
    let error = rejected(&mirror);
    assert!(
        matches!(error, DownloadError::Status { status: 404, .. }),
        "{error}"
    );
}

#[test]
fn a_missing_index_is_reported() {
    let server = Server::start(|_| Answer::status(503));
    let location = format!("{}/index.yaml", server.url()).parse().unwrap();
    let error = Downloader::default().index(&location).unwrap_err();
    assert!(
        matches!(error, DownloadError::Status { status: 503, .. }),
        "{error}"
    );
    drop(server);
    let error = Downloader::default().index(&location).unwrap_err();
    assert!(
        matches!(error, DownloadError::Unreachable { .. }),
        "{error}"
    );
}

#[test]
fn an_invalid_index_is_rejected() {
    let server = Server::start(|_| Answer::ok(b"<html>: [Please <log in>".to_vec()));
    let location = format!("{}/index.yaml", server.url()).parse().unwrap();
    let error = Downloader::default().index(&location).unwrap_err();
    assert!(
        matches!(error, DownloadError::InvalidIndex { .. }),
        "{error}"
    );
}

#[test]
fn malicious_and_incomplete_archives_are_rejected() {
    for (entries, problem) in [
        (
            vec![("../../etcd", "x")],
            "../../etcd is outside of the archive",
        ),
        (
            vec![("/tmp/etcd", "x")],
            "/tmp/etcd is outside of the archive",
        ),
        (
            vec![("link:controller-tools/envtest/etcd", "/bin/sh")],
            "controller-tools/envtest/etcd is neither a file nor a directory",
        ),
        (
            vec![("controller-tools/envtest/etcd", "x")],
            "kube-apiserver missing",
        ),
        (vec![], "etcd and kube-apiserver missing"),
    ] {
        let error = rejected(&Mirror::new(&["v1.36.2"], &archive(&entries)));
        let DownloadError::InvalidArchive {
            problem: actual, ..
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!(actual, problem);
    }
    let duplicate = archive(&[("a/etcd", "x"), ("b/etcd", "x")]);
    for bytes in [&duplicate[..], b"no archive at all"] {
        let error = rejected(&Mirror::new(&["v1.36.2"], bytes));
        assert!(
            matches!(error, DownloadError::InvalidArchive { .. }),
            "{error}"
        );
    }
}

#[cfg(unix)]
#[test]
fn an_unwritable_cache_is_reported() {
    let root = TempDir::new().unwrap();
    fs::write(root.path().join("file"), "").unwrap();
    let folder = root.path().join("file/cache");
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    let error = install_into(&Cache::at(&folder), &mirror).unwrap_err();
    assert!(
        matches!(&error, DownloadError::File { path, .. } if *path == folder),
        "{error}"
    );
    assert_eq!(mirror.archives_sent(), 0);
}

#[test]
fn a_mirror_can_be_a_directory() {
    let root = TempDir::new().unwrap();
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    fs::write(root.path().join("index.yaml"), mirror.index_text()).unwrap();
    fs::write(root.path().join("v1.36.2.tar.gz"), control_plane()).unwrap();
    let downloader = Downloader::default();
    let location = root.path().join("index.yaml").display().to_string();
    let index = downloader.index(&location.parse().unwrap()).unwrap();
    let release = index
        .find(VersionSelector::Latest, &Platform::current())
        .unwrap();
    let cache = Cache::at(root.path().join("cache"));
    let mut steps = Vec::new();
    let installed = downloader.install(release, &cache, &mut |step| steps.push(step));
    assert_eq!(installed.unwrap().version, release.version);
    assert_eq!(steps, [Progress::Verifying, Progress::Unpacking]);
    assert!(root.path().join("v1.36.2.tar.gz").exists());
}

#[test]
fn concurrent_runs_download_once() {
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    let whole = control_plane();
    mirror.answer_archives(move |_| Answer::ok(whole.clone()).after(Duration::from_millis(50)));
    let root = TempDir::new().unwrap();
    let cache = Cache::at(root.path());
    std::thread::scope(|scope| {
        let runs = [(); 2].map(|()| scope.spawn(|| install_into(&cache, &mirror).unwrap()));
        let [one, other] = runs.map(|run| run.join().unwrap());
        assert_eq!(one, other);
    });
    assert_eq!(mirror.archives_sent(), 1);
}

#[test]
fn only_installed_files_are_removed() {
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    let (root, installed) = install(&mirror);
    let installed = installed.unwrap();
    let cache = Cache::at(root.path());
    let note = installed.dir.join("note");
    fs::write(&note, "mine").unwrap();
    let error = download::remove(&cache, &installed).unwrap_err();
    assert!(
        matches!(&error, DownloadError::Foreign { others, .. } if others == &["note"]),
        "{error}"
    );
    assert_eq!(cache.in_use().as_ref(), Some(&installed));
    fs::remove_file(note).unwrap();
    download::remove(&cache, &installed).unwrap();
    assert_eq!(names(&root), [".lock"]);

    let built = root.path().join(format!(
        "v1.36.3-{}",
        Platform::current().to_string().replace('/', "-")
    ));
    fs::create_dir(&built).unwrap();
    for name in ["etcd", "kube-apiserver"] {
        fs::write(
            built.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)),
            "",
        )
        .unwrap();
    }
    let built = cache.in_use().unwrap();
    assert!(!download::is_removable(&built));
    let error = download::remove(&cache, &built).unwrap_err();
    assert!(matches!(error, DownloadError::Foreign { .. }), "{error}");
    assert!(built.dir.exists());
}

#[cfg(unix)]
#[test]
fn symlinks_in_the_cache_are_not_followed() {
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    let sum = mirror.sum();
    let part = format!(".download-{}", &sum[..32]);
    for name in [
        format!("{part}.part"),
        format!("{part}.state"),
        ".lock".to_owned(),
    ] {
        let outside = TempDir::new().unwrap();
        let victim = outside.path().join("victim");
        for exists in [true, false] {
            let root = TempDir::new().unwrap();
            std::os::unix::fs::symlink(&victim, root.path().join(&name)).unwrap();
            if exists {
                fs::write(&victim, "private").unwrap();
            }
            let installed = install_into(&Cache::at(root.path()), &mirror);
            assert_eq!(installed.is_ok(), name != ".lock", "{name}");
            let text = fs::read_to_string(&victim).ok();
            assert_eq!(text.as_deref(), exists.then_some("private"), "{name}");
            let _ = fs::remove_file(&victim);
        }
    }
}
