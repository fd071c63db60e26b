//! Requests to the API server as cluster administrator, without kube. Each uses its own connection, since there are few.

use std::{
    error::Error as StdError,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use http::{
    HeaderValue, Method, Request, StatusCode,
    header::{CONTENT_TYPE, HOST},
};
use http_body_util::{BodyExt, Full};
use hyper::{body::Bytes, client::conn::http1};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName};
use serde_json::Value;
use tokio::{
    net::TcpStream,
    time::{Instant, sleep, timeout},
};
use tokio_rustls::TlsConnector;

use crate::{Error, certificates::Identity};

type Boxed = Box<dyn StdError + Send + Sync>;

/// Timeout of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);

/// Timeout of a readiness check. Another process may have taken the port and never answer.
const READINESS_TIMEOUT: Duration = Duration::from_secs(2);

/// Timeout for applied objects to take effect.
const EFFECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Client of the API server at a local port.
#[derive(Clone)]
pub(crate) struct Api {
    port: u16,
    tls: TlsConnector,
}

impl Api {
    pub(crate) fn new(port: u16, identity: Identity) -> Result<Self, Error> {
        let tls = || {
            let mut roots = RootCertStore::empty();
            roots.add(identity.authority)?;
            ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
                .with_safe_default_protocol_versions()?
                .with_root_certificates(roots)
                .with_client_auth_cert(vec![identity.certificate], identity.key)
        };
        let tls = tls().map_err(|error| Error::Certificates(error.into()))?;
        Ok(Self {
            port,
            tls: Arc::new(tls).into(),
        })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn set_port(&mut self, port: u16) {
        self.port = port;
    }

    /// Returns whether the API server is ready.
    pub(crate) async fn is_ready(&self) -> bool {
        let answer = timeout(READINESS_TIMEOUT, self.send(Method::GET, "/readyz", None)).await;
        matches!(answer, Ok(Ok((StatusCode::OK, _))))
    }

    /// Gets the object at a path, or `None` if it does not exist.
    pub(crate) async fn get(&self, path: &str) -> Result<Option<Value>, Error> {
        match self.request(Method::GET, path, None).await {
            Ok(found) => Ok(Some(found)),
            Err(RequestError::NotFound) => Ok(None),
            Err(RequestError::Other(error)) => Err(error),
        }
    }

    /// Creates an object and returns the response.
    pub(crate) async fn create(&self, path: &str, object: &Value) -> Result<Value, Error> {
        self.write(Method::POST, path, object).await
    }

    /// Applies an object as the field manager `kb-envtest`.
    pub(crate) async fn apply(&self, path: &str, object: &Value) -> Result<Value, Error> {
        let path = format!("{path}?fieldManager=kb-envtest&force=true");
        self.write(Method::PATCH, &path, object).await
    }

    /// Deletes the object at a path, if it exists.
    pub(crate) async fn delete(&self, path: &str) -> Result<(), Error> {
        match self.request(Method::DELETE, path, None).await {
            Ok(_) | Err(RequestError::NotFound) => Ok(()),
            Err(RequestError::Other(error)) => Err(error),
        }
    }

    /// Checks that a local server has a certificate signed by the environment's CA.
    pub(crate) async fn check_certificate(&self, address: SocketAddr) -> Result<(), Boxed> {
        let handshake = async {
            let stream = TcpStream::connect(address).await?;
            let name = ServerName::from(address.ip());
            self.tls.connect(name, stream).await?;
            Ok(())
        };
        timeout(READINESS_TIMEOUT, handshake).await?
    }

    /// Polls until `check` reports no problem.
    pub(crate) async fn poll_until<F>(&self, what: &str, check: impl Fn() -> F) -> Result<(), Error>
    where
        F: Future<Output = Result<Option<String>, Error>>,
    {
        let start = Instant::now();
        while let Some(problem) = check().await? {
            if start.elapsed() > EFFECT_TIMEOUT {
                return Err(Error::NotEffective {
                    what: what.to_owned(),
                    after: EFFECT_TIMEOUT,
                    problem,
                });
            }
            sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    async fn write(&self, method: Method, path: &str, object: &Value) -> Result<Value, Error> {
        let request = format!("{method} {path}");
        match self.request(method, path, Some(object)).await {
            Ok(written) => Ok(written),
            Err(RequestError::NotFound) => Err(Error::Rejected {
                request,
                message: "not found".to_owned(),
            }),
            Err(RequestError::Other(error)) => Err(error),
        }
    }

    async fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, RequestError> {
        let request = format!("{method} {path}");
        let answer = self.send(method, path, body).await;
        // The 404 of a kind that is not served yet is plain text, not JSON.
        if matches!(answer, Ok((StatusCode::NOT_FOUND, _))) {
            return Err(RequestError::NotFound);
        }
        let parsed = answer.and_then(|(status, text)| Ok((status, serde_json::from_slice(&text)?)));
        match parsed {
            Ok((status, answer)) if status.is_success() => Ok(answer),
            Ok((status, Value::Object(answer))) => {
                let message = answer.get("message").and_then(Value::as_str);
                let message = message.map_or_else(|| status.to_string(), str::to_owned);
                Err(RequestError::Other(Error::Rejected { request, message }))
            }
            Ok((status, _)) => Err(RequestError::Other(Error::Rejected {
                request,
                message: status.to_string(),
            })),
            Err(source) => Err(RequestError::Other(Error::NoResponse { request, source })),
        }
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, Bytes), Boxed> {
        let is_apply = method == Method::PATCH;
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, "localhost")
            .body(Full::new(Bytes::new()))?;
        if let Some(body) = body {
            *request.body_mut() = Full::new(Bytes::from(serde_json::to_vec(body)?));
            // JSON is valid YAML.
            let json = HeaderValue::from_static("application/json");
            let apply = HeaderValue::from_static("application/apply-patch+yaml");
            let kind = if is_apply { apply } else { json };
            request.headers_mut().insert(CONTENT_TYPE, kind);
        }
        timeout(REQUEST_TIMEOUT, self.exchange(request)).await?
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<(StatusCode, Bytes), Boxed> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await?;
        let name = ServerName::try_from("localhost")?;
        let stream = self.tls.connect(name, stream).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let exchange = async {
            let answer = sender.send_request(request).await?;
            let status = answer.status();
            Ok((status, answer.into_body().collect().await?.to_bytes()))
        };
        tokio::select! {
            answer = exchange => answer,
            ended = connection => Err(ended.map_or_else(Into::into, |()| "the connection was closed".into())),
        }
    }
}

/// Failure of a request.
enum RequestError {
    NotFound,
    Other(Error),
}
