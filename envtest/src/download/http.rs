//! Requests to the servers of indexes and archives: TLS by what the machine trusts, proxies by the usual variables, and no waiting for a
//! server that is silent.

use std::{net::IpAddr, sync::Arc, time::Duration};

use http::{HeaderMap, StatusCode, Uri};
use rustls::crypto::ring;
use ureq::{
    Agent, Body, Proxy, Timeout,
    tls::{RootCerts, TlsConfig},
};

use super::DownloadError;

/// The largest index that is read.
const MOST: u64 = 32 << 20;

pub(super) type Response = http::Response<Body>;

/// A server, and how long it may be silent.
pub(super) struct Http {
    agent: Agent,
    patience: Duration,
}

impl Http {
    pub(super) fn new(url: &str, patience: Duration) -> Self {
        let tls = TlsConfig::builder()
            // As the machine has them: a company's own authority is among them.
            .root_certs(RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
            .build();
        // As Go does it: no proxy can lead to this machine.
        let proxy = if is_local(url) {
            None
        } else {
            Proxy::try_from_env()
        };
        let agent = Agent::config_builder()
            .tls_config(tls)
            .proxy(proxy)
            // The sums come this way: nobody may lead elsewhere in the clear.
            .https_only(url.starts_with("https://"))
            .user_agent(concat!("kb-envtest/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            .timeout_connect(Some(patience))
            .timeout_recv_response(Some(patience))
            .timeout_per_read(Some(patience))
            .build()
            .new_agent();
        Self { agent, patience }
    }

    /// A small text.
    pub(super) fn text(&self, url: &str) -> Result<String, DownloadError> {
        let response = self.get(url, &HeaderMap::new())?;
        let status = response.status();
        if status != StatusCode::OK {
            return Err(refused(url, status));
        }
        let mut body = response.into_body();
        let body = body.with_config().limit(MOST).lossy_utf8(true);
        body.read_to_string()
            .map_err(|error| self.failed(url, error))
    }

    /// An answer of any status, after redirections.
    pub(super) fn get(&self, url: &str, headers: &HeaderMap) -> Result<Response, DownloadError> {
        let mut request = self.agent.get(url);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        request.call().map_err(|error| self.failed(url, error))
    }

    /// Why there was no answer, or no more of it.
    pub(super) fn failed(&self, url: &str, error: ureq::Error) -> DownloadError {
        match error {
            ureq::Error::Timeout(Timeout::PerRead | Timeout::RecvResponse) => {
                DownloadError::Stalled {
                    url: url.to_owned(),
                    after: self.patience,
                }
            }
            error => DownloadError::Unreachable {
                url: url.to_owned(),
                problem: error.to_string(),
            },
        }
    }
}

/// The error that the answer is another one.
pub(super) fn refused(url: &str, status: StatusCode) -> DownloadError {
    DownloadError::Status {
        url: url.to_owned(),
        status: status.as_u16(),
    }
}

/// Whether a URL is of this machine.
fn is_local(url: &str) -> bool {
    let host = url.parse::<Uri>().ok();
    let host = host.as_ref().and_then(Uri::host).unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_asked_without_a_proxy() {
        for url in [
            "http://127.0.0.1:1/a",
            "http://localhost/a",
            "http://[::1]:8/a",
        ] {
            assert!(is_local(url), "{url}");
        }
        for url in [
            "https://example.com/127.0.0.1",
            "http://10.0.0.1/",
            "nonsense",
        ] {
            assert!(!is_local(url), "{url}");
        }
    }
}
