//! Loading and reloading certificates.

use std::{fs, path::Path};

use rustls::pki_types::CertificateDer;
use tempfile::TempDir;
use tokio::time::sleep;

use crate::server::{CertificateError, Certificates, certificates::RELOAD_INTERVAL};

/// Writes a new certificate with its key and returns the certificate.
pub(super) fn issue(dir: &Path) -> CertificateDer<'static> {
    let issued = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(dir.join("tls.crt"), issued.cert.pem()).unwrap();
    fs::write(dir.join("tls.key"), issued.signing_key.serialize_pem()).unwrap();
    issued.cert.der().clone()
}

/// Waits for `times` reloads.
async fn reload(certificates: &Certificates, times: u32) {
    tokio::select! {
        never = certificates.watch_files() => match never {},
        () = sleep(RELOAD_INTERVAL * times + RELOAD_INTERVAL / 2) => {}
    }
}

#[tokio::test(start_paused = true)]
async fn reloads_a_changed_certificate() {
    let dir = TempDir::new().unwrap();
    let first = issue(dir.path());
    let certificates = Certificates::from_files(dir.path(), "tls.crt", "tls.key").unwrap();
    assert_eq!(certificates.certificate(), first);

    let second = issue(dir.path());
    assert_eq!(certificates.certificate(), first);
    reload(&certificates, 1).await;
    assert_eq!(certificates.certificate(), second);
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn reloads_a_mounted_secret() {
    use std::os::unix::fs::symlink;

    let dir = TempDir::new().unwrap();
    let version = |name: &str| {
        let path = dir.path().join(name);
        fs::create_dir(&path).unwrap();
        issue(&path)
    };
    // The layout of a mounted Secret.
    version("..1");
    symlink("..1", dir.path().join("..data")).unwrap();
    for file in ["tls.crt", "tls.key"] {
        symlink(Path::new("..data").join(file), dir.path().join(file)).unwrap();
    }
    let certificates = Certificates::from_files(dir.path(), "tls.crt", "tls.key").unwrap();

    let second = version("..2");
    symlink("..2", dir.path().join("..data_tmp")).unwrap();
    fs::rename(dir.path().join("..data_tmp"), dir.path().join("..data")).unwrap();
    reload(&certificates, 1).await;
    assert_eq!(certificates.certificate(), second);
}

#[tokio::test(start_paused = true)]
async fn keeps_the_old_certificate_while_files_are_invalid_or_missing() {
    let dir = TempDir::new().unwrap();
    let first = issue(dir.path());
    let certificates = Certificates::from_files(dir.path(), "tls.crt", "tls.key").unwrap();

    fs::write(dir.path().join("tls.crt"), "no certificate").unwrap();
    reload(&certificates, 2).await;
    assert_eq!(certificates.certificate(), first);

    fs::remove_file(dir.path().join("tls.crt")).unwrap();
    reload(&certificates, 1).await;
    assert_eq!(certificates.certificate(), first);

    let repaired = issue(dir.path());
    reload(&certificates, 1).await;
    assert_eq!(certificates.certificate(), repaired);
}

#[test]
fn rejects_the_key_of_another_certificate() {
    let dir = TempDir::new().unwrap();
    issue(dir.path());
    let certificate = fs::read(dir.path().join("tls.crt")).unwrap();
    issue(dir.path());
    fs::write(dir.path().join("tls.crt"), certificate).unwrap();
    let error = Certificates::from_files(dir.path(), "tls.crt", "tls.key").unwrap_err();
    assert!(
        matches!(error, CertificateError::Mismatch { .. }),
        "{error}"
    );
}

#[test]
fn errors_name_the_file() {
    let dir = TempDir::new().unwrap();
    let load = || Certificates::from_files(dir.path(), "tls.crt", "tls.key").unwrap_err();
    let error = load();
    assert!(
        matches!(&error, CertificateError::Unreadable { path, .. } if path.ends_with("tls.crt")),
        "{error}"
    );

    issue(dir.path());
    for file in ["tls.key", "tls.crt"] {
        fs::write(dir.path().join(file), "").unwrap();
        let error = load();
        assert!(
            matches!(&error, CertificateError::Malformed { path, .. } if path.ends_with(file)),
            "{error}"
        );
    }
}
