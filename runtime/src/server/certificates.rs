//! The certificate of a TLS server: from files, renewed when they change, or self-signed.
//!
//! Any TLS server can use it, for metrics as for webhooks. Every handshake takes the certificate of that moment; connections that
//! exist keep theirs. The cryptography is ring's, named here: a default that other code may set for the process plays no part.

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

/// How often the files are looked at. Kubernetes takes up to a minute to bring a changed secret into a pod.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(10);

/// What a TLS server shows to its clients. Clones are the same certificate, at any time.
#[derive(Debug, Clone)]
pub struct Certificates {
    served: Arc<Served>,
    files: Option<Files>,
}

impl Certificates {
    /// A certificate and its key, from PEM files of these names in `folder`, such as a mounted secret with `tls.crt` and `tls.key`.
    ///
    /// A server looks at the files every 10 seconds. If they hold another certificate, it is used from then on; if they cannot be read or
    /// do not fit together, the old one stays and the problem is logged.
    pub fn from_files(
        folder: &Path,
        certificate: &str,
        key: &str,
    ) -> Result<Self, CertificateError> {
        let files = Files {
            certificate: folder.join(certificate),
            key: folder.join(key),
        };
        Ok(Self {
            served: Arc::new(Served(ArcSwap::from_pointee(files.read()?))),
            files: Some(files),
        })
    }

    /// A certificate for `localhost` that nobody has signed, made in memory, for as long as the process lives.
    ///
    /// Clients can encrypt with it, but not tell that they talk to the right server: they have to skip that check.
    pub fn self_signed() -> Result<Self, CertificateError> {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let key = KeyPair::generate()?;
        let certificate = CertificateParams::new(names)?.self_signed(&key)?;
        let chain = vec![certificate.der().clone()];
        let key = CertifiedKey::from_der(chain, PrivateKeyDer::from(key), &provider())?;
        Ok(Self {
            served: Arc::new(Served(ArcSwap::from_pointee(key))),
            files: None,
        })
    }

    /// A configuration that shows the certificate of the moment, asks clients for none, and speaks HTTP/1.1 only: HTTP/2 would
    /// bring its floods of cancelled requests, and nothing that probes, metrics and webhooks need.
    pub(crate) fn server_config(&self) -> Arc<ServerConfig> {
        let mut config = ServerConfig::builder_with_provider(Arc::new(provider()))
            .with_safe_default_protocol_versions()
            .expect("ring has cipher suites for TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&self.served) as _);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Arc::new(config)
    }

    /// Takes over what changes in the files, for as long as it is polled.
    pub(crate) async fn keep_fresh(&self) -> Infallible {
        let Some(files) = &self.files else {
            return pending().await;
        };
        let mut known_problem = None;
        loop {
            sleep(LOOK_EVERY).await;
            let files = files.clone();
            // It fails only if the runtime is about to stop.
            let Ok(read) = spawn_blocking(move || files.read()).await else {
                continue;
            };
            known_problem = match read {
                Ok(key) => {
                    self.renew(key);
                    None
                }
                Err(error) => {
                    let problem = error.to_string();
                    if known_problem.as_ref() != Some(&problem) {
                        tracing::error!(
                            error = problem,
                            "The certificate cannot be renewed. The old one is still used."
                        );
                    }
                    Some(problem)
                }
            };
        }
    }

    /// The certificate of the moment.
    #[cfg(test)]
    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        self.served.0.load().cert[0].clone()
    }

    fn renew(&self, key: CertifiedKey) {
        // Another key has another certificate: the public key is in it.
        if key.cert != self.served.0.load().cert {
            self.served.0.store(Arc::new(key));
            tracing::info!("The certificate was renewed.");
        }
    }
}

/// What handshakes take the certificate from.
#[derive(Debug)]
struct Served(ArcSwap<CertifiedKey>);

impl ResolvesServerCert for Served {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.load_full())
    }
}

/// Where a certificate and its key are.
#[derive(Debug, Clone)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    /// Kubernetes swaps all files of a secret at once, but they are read one after the other: a pair that does not fit is an error here,
    /// and read again later.
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
        CertifiedKey::from_der(chain, key, &provider()).map_err(|source| CertificateError::Unfit {
            certificate: self.certificate.clone(),
            key: self.key.clone(),
            source,
        })
    }
}

fn provider() -> CryptoProvider {
    ring::default_provider()
}

/// Why there is no certificate to serve with.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A file cannot be read.
    #[error("{} cannot be read: {source}. Mount the secret with the certificate there, or give no path for a self-signed one", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{} does not hold what is expected, a certificate or a private key in PEM: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        source: pem::Error,
    },
    /// The files do not belong together, or are of a kind that cannot be used.
    #[error("{} and {} cannot be used together: {source}. Expected are an RSA, ECDSA or Ed25519 key and its certificate", certificate.display(), key.display())]
    Unfit {
        /// The file with the certificate.
        certificate: PathBuf,
        /// The file with the key.
        key: PathBuf,
        /// What TLS says.
        source: rustls::Error,
    },
    /// A self-signed certificate could not be made.
    #[error("a self-signed certificate cannot be made: {0}")]
    NotMade(#[from] rcgen::Error),
    /// A self-signed certificate was made, and cannot be used.
    #[error("a self-signed certificate cannot be used: {0}")]
    NotUsable(#[from] rustls::Error),
}
