//! Interrupted downloads and their resumption.

use std::{fs, path::Path, time::Duration};

use kb_envtest::{
    Cache,
    download::{self, DownloadError, Downloader},
};
use tempfile::TempDir;

use crate::{
    install_by, install_into,
    mirror::{Mirror, control_plane},
    server::Answer,
};

const TAG: &str = "\"first\"";

/// Returns a cache with the first 40 bytes of an archive with an `ETag`.
fn interrupted() -> (TempDir, Cache, Mirror) {
    let root = TempDir::new().unwrap();
    let cache = Cache::at(root.path());
    let whole = control_plane();
    let mirror = Mirror::new(&["v1.36.2"], &whole);
    mirror.answer_archives(move |_| {
        let answer = Answer::ok(whole.clone()).header(&format!("etag: {TAG}"));
        answer.cut_after(40)
    });
    let error = install_into(&cache, &mirror).unwrap_err();
    let total = control_plane().len() as u64;
    assert!(
        matches!(error, DownloadError::Interrupted { received: 40, total: Some(all), .. } if all == total),
        "{error}"
    );
    assert_eq!(part(root.path()).unwrap(), control_plane()[..40]);
    (root, cache, mirror)
}

/// Returns the received part of an archive.
fn part(folder: &Path) -> Option<Vec<u8>> {
    let mut entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let part = entries.find(|path| path.extension().is_some_and(|end| end == "part"))?;
    Some(fs::read(part).unwrap())
}

#[test]
fn interrupted_downloads_are_resumed() {
    let (root, cache, mirror) = interrupted();
    mirror.answer_archives(|_| Answer::rest(&control_plane(), 40));
    install_into(&cache, &mirror).unwrap();
    let requests = mirror.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].header("range"), None);
    assert_eq!(requests[1].header("range"), Some("bytes=40-"));
    assert_eq!(requests[1].header("if-range"), Some(TAG));
    assert_eq!(part(root.path()), None);
}

#[test]
fn a_full_response_replaces_the_received_part() {
    let (_root, cache, mirror) = interrupted();
    mirror.answer_archives(|_| Answer::ok(control_plane()));
    install_into(&cache, &mirror).unwrap();
    assert_eq!(mirror.requests()[1].header("range"), Some("bytes=40-"));
}

#[test]
fn an_unexpected_range_restarts_the_download() {
    for odd in [
        || Answer::rest(&control_plane(), 10),
        || Answer::status(416),
        || Answer::status(206),
    ] {
        let (_root, cache, mirror) = interrupted();
        mirror.answer_archives(move |request| match request.header("range") {
            Some(_) => odd(),
            None => Answer::ok(control_plane()),
        });
        install_into(&cache, &mirror).unwrap();
        assert_eq!(mirror.requests().len(), 3);
    }
}

#[test]
fn server_errors_keep_the_received_part() {
    let (root, cache, mirror) = interrupted();
    mirror.answer_archives(|_| Answer::status(503));
    let error = install_into(&cache, &mirror).unwrap_err();
    assert!(
        matches!(error, DownloadError::Status { status: 503, .. }),
        "{error}"
    );
    assert_eq!(part(root.path()).unwrap().len(), 40);
}

#[test]
fn a_mixture_of_two_archives_is_discarded() {
    let (root, cache, mirror) = interrupted();
    mirror.answer_archives(|_| Answer::rest(&vec![0; control_plane().len()], 40));
    let error = install_into(&cache, &mirror).unwrap_err();
    assert!(
        matches!(error, DownloadError::ChecksumMismatch { .. }),
        "{error}"
    );
    assert_eq!(part(root.path()), None);
}

#[test]
fn redirects_keep_the_range() {
    let (_root, cache, mirror) = interrupted();
    mirror.answer_archives(|request| match request.path.as_str() {
        "/elsewhere" => Answer::rest(&control_plane(), 40),
        _ => Answer::status(302).header("location: /elsewhere"),
    });
    install_into(&cache, &mirror).unwrap();
    let last = mirror.requests().pop().unwrap();
    assert_eq!(last.header("range"), Some("bytes=40-"));
}

#[test]
fn a_stalled_server_times_out_and_the_received_part_is_kept() {
    let root = TempDir::new().unwrap();
    let cache = Cache::at(root.path());
    let mirror = Mirror::new(&["v1.36.2"], &control_plane());
    let silence = Duration::from_secs(5);
    let impatient = Downloader::default().timeout(Duration::from_millis(400));
    mirror.answer_archives(move |_| Answer::ok(control_plane()).silent_after(40, silence));
    let error = install_by(&impatient, &cache, &mirror).unwrap_err();
    assert!(matches!(error, DownloadError::Stalled { .. }), "{error}");
    assert_eq!(part(root.path()).unwrap().len(), 40);

    mirror.answer_archives(move |_| Answer::ok(control_plane()).after(silence));
    let error = install_by(&impatient, &cache, &mirror).unwrap_err();
    assert!(matches!(error, DownloadError::Stalled { .. }), "{error}");
    assert_eq!(download::leftovers(&cache).len(), 2);
    download::clean_up(&cache).unwrap();
    assert_eq!(
        download::leftovers(&cache),
        Vec::<std::path::PathBuf>::new()
    );
}
