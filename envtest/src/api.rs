//! Requests to the API server as its administrator, without kube: one connection for each, as there are few.

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

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// How long it may take to say that it is ready. Somebody else who has its port may never say anything.
const GLANCE: Duration = Duration::from_secs(2);

/// How long what was applied may take to have its effect.
const EFFECT: Duration = Duration::from_secs(30);

/// The API server at a port of this machine.
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

    pub(crate) fn move_to(&mut self, port: u16) {
        self.port = port;
    }

    /// Whether it is ready to serve.
    pub(crate) async fn is_ready(&self) -> bool {
        let answer = timeout(GLANCE, self.send(Method::GET, "/readyz", None)).await;
        matches!(answer, Ok(Ok((StatusCode::OK, _))))
    }

    /// What is found at a path; None if nothing is.
    pub(crate) async fn get(&self, path: &str) -> Result<Option<Value>, Error> {
        match self.request(Method::GET, path, None).await {
            Ok(found) => Ok(Some(found)),
            Err(Refusal::NotFound) => Ok(None),
            Err(Refusal::Other(error)) => Err(error),
        }
    }

    /// Creates something, and gives what the API server made of it.
    pub(crate) async fn create(&self, path: &str, object: &Value) -> Result<Value, Error> {
        self.changed(Method::POST, path, object).await
    }

    /// Applies an object as the field manager `kb-envtest`.
    pub(crate) async fn apply(&self, path: &str, object: &Value) -> Result<Value, Error> {
        let path = format!("{path}?fieldManager=kb-envtest&force=true");
        self.changed(Method::PATCH, &path, object).await
    }

    /// Deletes what is at a path, if it is there.
    pub(crate) async fn delete(&self, path: &str) -> Result<(), Error> {
        match self.request(Method::DELETE, path, None).await {
            Ok(_) | Err(Refusal::NotFound) => Ok(()),
            Err(Refusal::Other(error)) => Err(error),
        }
    }

    /// Whether another server of this machine has a certificate of the same authority.
    pub(crate) async fn shake_hands(&self, address: SocketAddr) -> Result<(), Boxed> {
        let shaken = async {
            let stream = TcpStream::connect(address).await?;
            let name = ServerName::from(address.ip());
            self.tls.connect(name, stream).await?;
            Ok(())
        };
        timeout(GLANCE, shaken).await?
    }

    /// Asks again until there is nothing left to wait for, which is what `check` says.
    pub(crate) async fn until<F>(&self, what: &str, check: impl Fn() -> F) -> Result<(), Error>
    where
        F: Future<Output = Result<Option<String>, Error>>,
    {
        let start = Instant::now();
        while let Some(problem) = check().await? {
            if start.elapsed() > EFFECT {
                return Err(Error::NoEffect {
                    what: what.to_owned(),
                    after: EFFECT,
                    problem,
                });
            }
            sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    async fn changed(&self, method: Method, path: &str, object: &Value) -> Result<Value, Error> {
        let request = format!("{method} {path}");
        match self.request(method, path, Some(object)).await {
            Ok(changed) => Ok(changed),
            Err(Refusal::NotFound) => Err(Error::Refused {
                request,
                message: "not found".to_owned(),
            }),
            Err(Refusal::Other(error)) => Err(error),
        }
    }

    async fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, Refusal> {
        let request = format!("{method} {path}");
        let answer = self.send(method, path, body).await;
        // Before it serves a new kind, the API server says so in plain text.
        if matches!(answer, Ok((StatusCode::NOT_FOUND, _))) {
            return Err(Refusal::NotFound);
        }
        let parsed = answer.and_then(|(status, text)| Ok((status, serde_json::from_slice(&text)?)));
        match parsed {
            Ok((status, answer)) if status.is_success() => Ok(answer),
            Ok((status, Value::Object(answer))) => {
                let message = answer.get("message").and_then(Value::as_str);
                let message = message.map_or_else(|| status.to_string(), str::to_owned);
                Err(Refusal::Other(Error::Refused { request, message }))
            }
            Ok((status, _)) => Err(Refusal::Other(Error::Refused {
                request,
                message: status.to_string(),
            })),
            Err(source) => Err(Refusal::Other(Error::NoAnswer { request, source })),
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
            // JSON is YAML.
            let json = HeaderValue::from_static("application/json");
            let apply = HeaderValue::from_static("application/apply-patch+yaml");
            let kind = if is_apply { apply } else { json };
            request.headers_mut().insert(CONTENT_TYPE, kind);
        }
        timeout(PATIENCE, self.exchange(request)).await?
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

/// Why a request did not succeed.
enum Refusal {
    NotFound,
    Other(Error),
}
