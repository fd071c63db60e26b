//! Downloads from a server on loopback that does what is expected, and what is not.
#![cfg(feature = "download")]
#![allow(clippy::unwrap_used, reason = "tests fail")]

mod mirror;
mod resumption;
mod server;

use std::{fs, time::Duration};

use kb_envtest::{
    Cache, Installed, Platform, Wanted,
    download::{self, DownloadError, Downloader, Progress},
};
use tempfile::TempDir;

use self::{
    mirror::{Mirror, archive, control_plane},
    server::{Answer, Server},
};

/// Installs the newest release of a mirror into a new cache.
fn install(mirror: &Mirror) -> (TempDir, Result<Installed, DownloadError>) {
    let root = TempDir::new().unwrap();
    let installed = install_into(&Cache::at(root.path()), mirror);
    (root, installed)
}

fn install_into(cache: &Cache, mirror: &Mirror) -> Result<Installed, DownloadError> {
    install_by(&Downloader::default(), cache, mirror)
}

fn install_by(
    downloader: &Downloader,
    cache: &Cache,
    mirror: &Mirror,
) -> Result<Installed, DownloadError> {
    let index = downloader.index(&mirror.index())?;
    let release = index.find(Wanted::Latest, &Platform::current())?;
    downloader.install(release, cache, &mut |_| {})
}

/// Fails, with nothing installed.
fn refused(mirror: &Mirror) -> String {
    let (root, installed) = install(mirror);
    let error = installed.unwrap_err();
    assert_eq!(Cache::at(root.path()).installed(), []);
    let staged = |name: &str| name.starts_with(".staged-");
    assert!(
        !names(&root).iter().any(|name| staged(name)),
        "{:?}",
        names(&root)
    );
    format!("{error}\n{}", error.help())
}

fn names(root: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(root.path()).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    entries
        .map(|entry| name(entry).into_string().unwrap())
        .collect()
}

#[test]
fn what_is_installed_is_what_tests_find() {
    let mirror = Mirror::new(&["v1.36.2", "v1.9.0"], &control_plane());
    let (root, installed) = install(&mirror);
    let installed = installed.unwrap();
    assert_eq!(installed.version.to_string(), "v1.36.2");
    let cache = Cache::at(root.path());
    assert_eq!(cache.in_use().as_ref(), Some(&installed));
    let binaries = kb_envtest::Binaries::at(&installed.folder).unwrap();
    assert_eq!(binaries.folder(), installed.folder);
    let mut left = names(&root);
    left.sort();
    let folder = installed.folder.file_name().unwrap().to_str().unwrap();
    assert_eq!(left, [".lock", folder]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        for path in [installed.folder.join("etcd"), installed.folder] {
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
            .folder
            .join(format!("etcd{}", std::env::consts::EXE_SUFFIX)),
    )
    .unwrap();
    install_into(&cache, &mirror).unwrap();
    assert_eq!(
        mirror.archives_sent(),
        2,
        "a version that is not complete is mended"
    );
}

#[test]
fn a_wrong_sum_installs_nothing_and_names_both() {
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    mirror.answer_archives(|_| Answer::ok(b"something else".to_vec()));
    let (root, installed) = install(&mirror);
    let error = installed.unwrap_err().to_string();
    assert!(error.contains(mirror.sum()), "{error}");
    assert!(error.contains(&mirror::sum(b"something else")), "{error}");
    assert_eq!(names(&root), [".lock"], "what came is of no use");
    assert!(refused(&mirror).contains("nothing was installed"));
}

#[test]
fn an_archive_that_is_not_there_is_named() {
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    mirror.answer_archives(|_| Answer::status(404));
    let error = refused(&mirror);
    assert!(error.contains("v1.36.2"), "{error}");
    assert!(
        error.contains("answers 404") && error.contains("out of date"),
        "{error}"
    );
}

#[test]
fn an_index_that_is_not_there_is_named() {
    let server = Server::start(|_| Answer::status(503));
    let location = format!("{}/index.yaml", server.url()).parse().unwrap();
    let error = Downloader::default().index(&location).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("/index.yaml: the server answers 503"),
        "{error}"
    );
    drop(server);
    let error = Downloader::default()
        .index(&location)
        .unwrap_err()
        .to_string();
    assert!(error.contains("cannot be reached"), "{error}");
}

#[test]
fn an_index_that_is_no_yaml_is_refused() {
    let server = Server::start(|_| Answer::ok(b"<html>: [Please <log in>".to_vec()));
    let location = format!("{}/index.yaml", server.url()).parse().unwrap();
    let error = Downloader::default().index(&location).unwrap_err();
    assert!(matches!(error, DownloadError::NoIndex { .. }), "{error}");
    assert!(error.help().contains("a login"), "{}", error.help());
}

#[test]
fn archives_that_lead_elsewhere_or_lack_something_are_refused() {
    for (entries, problem) in [
        (vec![("../../etcd", "x")], "../../etcd leads out of it"),
        (vec![("/tmp/etcd", "x")], "/tmp/etcd leads out of it"),
        (
            vec![("link:controller-tools/envtest/etcd", "/bin/sh")],
            "neither a file nor a folder",
        ),
        (
            vec![("controller-tools/envtest/etcd", "x")],
            "it has no kube-apiserver",
        ),
        (vec![("a/etcd", "x"), ("b/etcd", "x")], "etcd: "),
        (vec![], "it has no etcd and no kube-apiserver"),
    ] {
        let error = refused(&Mirror::new(&["v1.36.2"], &archive(&entries)));
        assert!(error.contains(problem), "{entries:?}: {error}");
        assert!(error.contains("nothing was installed"), "{error}");
    }
    let error = refused(&Mirror::new(&["v1.36.2"], b"no archive at all"));
    assert!(
        error.contains("is not an archive of a control plane"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let root = TempDir::new().unwrap();
    fs::write(root.path().join("file"), "").unwrap();
    let folder = root.path().join("file/cache");
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    let error = install_into(&Cache::at(&folder), &mirror).unwrap_err();
    assert!(matches!(error, DownloadError::File { .. }), "{error}");
    assert!(
        error.to_string().contains(&folder.display().to_string()),
        "{error}"
    );
    assert_eq!(mirror.archives_sent(), 0);
}

#[test]
fn a_mirror_may_be_a_folder() {
    let root = TempDir::new().unwrap();
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    fs::write(root.path().join("index.yaml"), mirror.index_text()).unwrap();
    fs::write(root.path().join("v1.36.2.tar.gz"), control_plane()).unwrap();
    let downloader = Downloader::default();
    let location = root.path().join("index.yaml").display().to_string();
    let index = downloader.index(&location.parse().unwrap()).unwrap();
    let release = index.find(Wanted::Latest, &Platform::current()).unwrap();
    let cache = Cache::at(root.path().join("cache"));
    let mut steps = Vec::new();
    let installed = downloader.install(release, &cache, &mut |step| steps.push(step));
    assert_eq!(installed.unwrap().version, release.version);
    assert_eq!(steps, [Progress::Checking, Progress::Unpacking]);
    assert!(root.path().join("v1.36.2.tar.gz").exists());
}

#[test]
fn two_runs_at_once_download_once() {
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
fn only_what_was_installed_is_removed() {
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    let (root, installed) = install(&mirror);
    let installed = installed.unwrap();
    let cache = Cache::at(root.path());
    let note = installed.folder.join("note");
    fs::write(&note, "mine").unwrap();
    let error = download::remove(&cache, &installed)
        .unwrap_err()
        .to_string();
    assert!(error.contains("it also has note"), "{error}");
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
    let error = download::remove(&cache, &built).unwrap_err().to_string();
    assert!(
        error.ends_with("was not installed by kb-rs envtest"),
        "{error}"
    );
    assert!(built.folder.exists());
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_in_the_cache() {
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
