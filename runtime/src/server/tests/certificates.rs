//! Which certificate is served while its files change.

use std::{fs, path::Path};

use rustls::pki_types::CertificateDer;
use tempfile::TempDir;
use tokio::time::sleep;

use crate::server::{CertificateError, Certificates, certificates::LOOK_EVERY};

/// Writes a new certificate with its key, and gives the certificate.
pub(super) fn issue(folder: &Path) -> CertificateDer<'static> {
    let issued = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(folder.join("tls.crt"), issued.cert.pem()).unwrap();
    fs::write(folder.join("tls.key"), issued.signing_key.serialize_pem()).unwrap();
    issued.cert.der().clone()
}

/// Lets the files be looked at `times` times.
async fn look(certificates: &Certificates, times: u32) {
    tokio::select! {
        never = certificates.keep_fresh() => match never {},
        () = sleep(LOOK_EVERY * times + LOOK_EVERY / 2) => {}
    }
}

#[tokio::test(start_paused = true)]
async fn a_changed_certificate_is_taken_over() {
    let folder = TempDir::new().unwrap();
    let first = issue(folder.path());
    let certificates = Certificates::from_files(folder.path(), "tls.crt", "tls.key").unwrap();
    assert_eq!(certificates.certificate(), first);

    let second = issue(folder.path());
    assert_eq!(certificates.certificate(), first);
    look(&certificates, 1).await;
    assert_eq!(certificates.certificate(), second);
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn a_swapped_link_is_a_change() {
    use std::os::unix::fs::symlink;

    let folder = TempDir::new().unwrap();
    let version = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir(&path).unwrap();
        issue(&path)
    };
    // As Kubernetes lays out a mounted secret.
    version("..1");
    symlink("..1", folder.path().join("..data")).unwrap();
    for file in ["tls.crt", "tls.key"] {
        symlink(Path::new("..data").join(file), folder.path().join(file)).unwrap();
    }
    let certificates = Certificates::from_files(folder.path(), "tls.crt", "tls.key").unwrap();

    let second = version("..2");
    symlink("..2", folder.path().join("..data_tmp")).unwrap();
    fs::rename(
        folder.path().join("..data_tmp"),
        folder.path().join("..data"),
    )
    .unwrap();
    look(&certificates, 1).await;
    assert_eq!(certificates.certificate(), second);
}

#[tokio::test(start_paused = true)]
async fn broken_or_missing_files_keep_the_old_certificate_until_they_are_mended() {
    let folder = TempDir::new().unwrap();
    let first = issue(folder.path());
    let certificates = Certificates::from_files(folder.path(), "tls.crt", "tls.key").unwrap();

    fs::write(folder.path().join("tls.crt"), "no certificate").unwrap();
    look(&certificates, 2).await;
    assert_eq!(certificates.certificate(), first);

    fs::remove_file(folder.path().join("tls.crt")).unwrap();
    look(&certificates, 1).await;
    assert_eq!(certificates.certificate(), first);

    let mended = issue(folder.path());
    look(&certificates, 1).await;
    assert_eq!(certificates.certificate(), mended);
}

#[test]
fn a_key_of_another_certificate_is_refused() {
    let folder = TempDir::new().unwrap();
    issue(folder.path());
    let certificate = fs::read(folder.path().join("tls.crt")).unwrap();
    issue(folder.path());
    fs::write(folder.path().join("tls.crt"), certificate).unwrap();
    let error = Certificates::from_files(folder.path(), "tls.crt", "tls.key").unwrap_err();
    assert!(matches!(error, CertificateError::Unfit { .. }), "{error}");
}

#[test]
fn errors_name_the_file() {
    let folder = TempDir::new().unwrap();
    let read = || Certificates::from_files(folder.path(), "tls.crt", "tls.key").unwrap_err();
    let error = read();
    assert!(
        error.to_string().contains("tls.crt cannot be read"),
        "{error}"
    );

    issue(folder.path());
    fs::write(folder.path().join("tls.key"), "").unwrap();
    let error = read();
    assert!(
        error
            .to_string()
            .contains("tls.key does not hold what is expected"),
        "{error}"
    );

    fs::write(folder.path().join("tls.crt"), "").unwrap();
    let error = read();
    assert!(
        error
            .to_string()
            .contains("tls.crt does not hold what is expected"),
        "{error}"
    );
}
