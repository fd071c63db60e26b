//! HTTP requests for indexes and archives, with the platform's root certificates, proxy variables and read timeouts.

use std::{net::IpAddr, sync::Arc, time::Duration};

use http::{HeaderMap, StatusCode, Uri};
use rustls::crypto::ring;
use ureq::{
    Agent, Body, Proxy, Timeout,
    tls::{RootCerts, TlsConfig},
};

use super::DownloadError;

/// Maximum size of an index.
const MAX_INDEX_SIZE: u64 = 32 << 20;

pub(super) type Response = http::Response<Body>;

/// HTTP client.
pub(super) struct HttpClient {
    agent: Agent,
    timeout: Duration,
}

impl HttpClient {
    pub(super) fn new(url: &str, timeout: Duration) -> Self {
        let tls = TlsConfig::builder()
            // Includes a company's own CA.
            .root_certs(RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
            .build();
        // Like Go, bypass the proxy for loopback.
        let proxy = if is_local(url) {
            None
        } else {
            Proxy::try_from_env()
        };
        let agent = Agent::config_builder()
            .tls_config(tls)
            .proxy(proxy)
            // The index contains the checksums: no redirect to plain HTTP.
            .https_only(url.starts_with("https://"))
            .user_agent(concat!("kb-envtest/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            .timeout_connect(Some(timeout))
            .timeout_recv_response(Some(timeout))
            .timeout_per_read(Some(timeout))
            .build()
            .new_agent();
        Self { agent, timeout }
    }

    /// Gets a small text file.
    pub(super) fn text(&self, url: &str) -> Result<String, DownloadError> {
        let response = self.get(url, &HeaderMap::new())?;
        let status = response.status();
        if status != StatusCode::OK {
            return Err(unexpected_status(url, status));
        }
        let mut body = response.into_body();
        let body = body.with_config().limit(MAX_INDEX_SIZE).lossy_utf8(true);
        body.read_to_string()
            .map_err(|error| self.error(url, error))
    }

    /// Returns a response of any status, after redirects.
    pub(super) fn get(&self, url: &str, headers: &HeaderMap) -> Result<Response, DownloadError> {
        let mut request = self.agent.get(url);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        request.call().map_err(|error| self.error(url, error))
    }

    /// Converts a transport error.
    pub(super) fn error(&self, url: &str, error: ureq::Error) -> DownloadError {
        match error {
            ureq::Error::Timeout(Timeout::PerRead | Timeout::RecvResponse) => {
                DownloadError::Stalled {
                    url: url.to_owned(),
                    after: self.timeout,
                }
            }
            error => DownloadError::Unreachable {
                url: url.to_owned(),
                problem: error.to_string(),
            },
        }
    }
}

pub(super) fn unexpected_status(url: &str, status: StatusCode) -> DownloadError {
    DownloadError::Status {
        url: url.to_owned(),
        status: status.as_u16(),
    }
}

/// Returns whether a URL is on loopback.
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
    fn loopback_urls_bypass_the_proxy() {
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
