//! Certificate of a TLS server: from files, reloaded when they change, or self-signed.
//!
//! Each handshake uses the current certificate; existing connections keep theirs. The crypto provider is always ring, whatever default other code
//! installs for the process.

use std::{
    convert::Infallible,
    future::pending,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use rcgen::{CertificateParams, KeyPair};
use rustls::{
    ServerConfig,
    crypto::{CryptoProvider, ring},
    pki_types::{
        CertificateDer, PrivateKeyDer,
        pem::{self, PemObject},
    },
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use tokio::{task::spawn_blocking, time::sleep};

/// How often the files are checked. Kubernetes takes up to a minute to update a mounted Secret.
pub(super) const RELOAD_INTERVAL: Duration = Duration::from_secs(10);

/// Certificate and key of a TLS server. Clones share them, including reloads.
#[derive(Debug, Clone)]
pub struct Certificates {
    resolver: Arc<CertificateResolver>,
    files: Option<Files>,
}

impl Certificates {
    /// Loads a certificate chain and its key from PEM files in `dir`, such as a mounted Secret with `tls.crt` and `tls.key`.
    ///
    /// A server reloads changed files every 10 seconds. If they are unreadable or do not match, it keeps the old certificate and logs the error.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or parsed, or if key and certificate do not match.
    pub fn from_files(dir: &Path, certificate: &str, key: &str) -> Result<Self, CertificateError> {
        let files = Files {
            certificate: dir.join(certificate),
            key: dir.join(key),
        };
        Ok(Self {
            resolver: Arc::new(CertificateResolver(ArcSwap::from_pointee(files.read()?))),
            files: Some(files),
        })
    }

    /// Generates a self-signed certificate for `localhost` in memory.
    ///
    /// It provides encryption without authentication of the server: clients must skip certificate verification.
    ///
    /// # Errors
    ///
    /// Returns an error if no key pair can be generated.
    pub fn self_signed() -> Result<Self, CertificateError> {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let key = KeyPair::generate()?;
        let certificate = CertificateParams::new(names)?.self_signed(&key)?;
        let chain = vec![certificate.der().clone()];
        let key = CertifiedKey::from_der(chain, PrivateKeyDer::from(key), &provider())?;
        Ok(Self {
            resolver: Arc::new(CertificateResolver(ArcSwap::from_pointee(key))),
            files: None,
        })
    }

    /// Returns a configuration with the current certificate and without client authentication. HTTP/1.1 only: HTTP/2 is exposed to rapid reset
    /// attacks and has no benefit for metrics and webhooks.
    pub(crate) fn server_config(&self) -> Arc<ServerConfig> {
        let mut config = ServerConfig::builder_with_provider(Arc::new(provider()))
            .with_safe_default_protocol_versions()
            .expect("ring has cipher suites for TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&self.resolver) as _);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Arc::new(config)
    }

    /// Reloads changed files while it is polled.
    pub(crate) async fn watch_files(&self) -> Infallible {
        let Some(files) = &self.files else {
            return pending().await;
        };
        let mut logged_error = None;
        loop {
            sleep(RELOAD_INTERVAL).await;
            let files = files.clone();
            // Fails only while the runtime shuts down.
            let Ok(read) = spawn_blocking(move || files.read()).await else {
                continue;
            };
            logged_error = match read {
                Ok(key) => {
                    self.replace(key);
                    None
                }
                Err(error) => {
                    let message = error.to_string();
                    if logged_error.as_ref() != Some(&message) {
                        tracing::error!(
                            error = message,
                            "failed to reload certificate, keeping the old one"
                        );
                    }
                    Some(message)
                }
            };
        }
    }

    /// Returns the current certificate.
    #[cfg(test)]
    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        self.resolver.0.load().cert[0].clone()
    }

    fn replace(&self, key: CertifiedKey) {
        // A new key implies a new certificate, which contains the public key.
        if key.cert != self.resolver.0.load().cert {
            self.resolver.0.store(Arc::new(key));
            tracing::info!("reloaded certificate");
        }
    }
}

/// Provides the current certificate to handshakes.
#[derive(Debug)]
struct CertificateResolver(ArcSwap<CertifiedKey>);

impl ResolvesServerCert for CertificateResolver {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.load_full())
    }
}

/// Paths of a certificate and its key.
#[derive(Debug, Clone)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    /// Reads both files. Kubernetes replaces them atomically, but they are read one after the other: a mismatch is an error, and retried later.
    fn read(&self) -> Result<CertifiedKey, CertificateError> {
        let content = |path: &PathBuf| {
            std::fs::read(path).map_err(|source| CertificateError::Unreadable {
                path: path.clone(),
                source,
            })
        };
        let malformed = |path: &PathBuf| {
            let path = path.clone();
            |source| CertificateError::Malformed { path, source }
        };
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&content(&self.certificate)?)
            .collect::<Result<_, _>>()
            .map_err(malformed(&self.certificate))?;
        if chain.is_empty() {
            return Err(malformed(&self.certificate)(pem::Error::NoItemsFound));
        }
        let key =
            PrivateKeyDer::from_pem_slice(&content(&self.key)?).map_err(malformed(&self.key))?;
        CertifiedKey::from_der(chain, key, &provider()).map_err(|source| {
            CertificateError::Mismatch {
                certificate: self.certificate.clone(),
                key: self.key.clone(),
                source,
            }
        })
    }
}

fn provider() -> CryptoProvider {
    ring::default_provider()
}

/// Failed to load or generate a certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A file cannot be read.
    #[error("failed to read {}: {source}; mount the certificate Secret there, or omit the path to use a self-signed certificate", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file is no PEM certificate or private key.
    #[error("failed to parse {} as PEM: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: pem::Error,
    },
    /// Certificate and key do not match, or the key type is not supported.
    #[error("certificate {} and key {} do not match or are not supported: {source}; use an RSA, ECDSA or Ed25519 key", certificate.display(), key.display())]
    Mismatch {
        /// File of the certificate.
        certificate: PathBuf,
        /// File of the key.
        key: PathBuf,
        /// The cause.
        source: rustls::Error,
    },
    /// A self-signed certificate could not be generated.
    #[error("failed to generate a self-signed certificate: {0}")]
    Generate(#[from] rcgen::Error),
    /// A generated certificate was rejected.
    #[error("invalid self-signed certificate: {0}")]
    InvalidGenerated(#[from] rustls::Error),
}
