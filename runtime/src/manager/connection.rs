//! Connections to the API server that detect a dead server.
//!
//! A server whose machine or network fails sends nothing, not even a reset, so its watches look like watches without events. TCP keepalive
//! probes idle connections, and `TCP_USER_TIMEOUT` limits how long sent data may remain unacknowledged: a dead connection fails within 45
//! seconds, as in client-go. kube's client stack sets no socket options, so this is the same stack with another connector.

use std::time::Duration;

use http::Request;
use http_body_util::BodyExt;
use hyper_timeout::TimeoutConnector;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use kube::{
    Config,
    client::{Body, ClientBuilder, ConfigExt, DynBody},
};
use tower::{
    BoxError, ServiceBuilder, ServiceExt,
    util::{BoxService, MapRequestLayer},
};

/// Service that sends requests.
type RequestService = BoxService<Request<Body>, http::Response<Box<DynBody>>, BoxError>;

/// TCP keepalive and timeout settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keepalive {
    /// Idle time before the first probe.
    pub(super) idle: Duration,
    /// Time between probes.
    pub(super) interval: Duration,
    /// Number of unanswered probes before the connection fails.
    pub(super) probes: u32,
    /// How long sent data may remain unacknowledged.
    pub(super) user_timeout: Duration,
}

impl Keepalive {
    pub(super) const DEFAULT: Self = Self {
        idle: Duration::from_secs(15),
        interval: Duration::from_secs(5),
        probes: 3,
        user_timeout: Duration::from_secs(30),
    };

    fn connector(self) -> HttpConnector {
        let mut connector = HttpConnector::new();
        // A TLS connector wraps this one.
        connector.enforce_http(false);
        connector.set_keepalive(Some(self.idle));
        connector.set_keepalive_interval(Some(self.interval));
        connector.set_keepalive_retries(Some(self.probes));
        #[cfg(target_os = "linux")]
        connector.set_tcp_user_timeout(Some(self.user_timeout));
        connector
    }

    /// Builds a client like kube's with these socket options and without retries.
    pub(super) fn client_builder(
        self,
        config: Config,
    ) -> kube::Result<ClientBuilder<RequestService>> {
        if config.proxy_url.is_some() {
            // kube supports proxies, depending on its features.
            return ClientBuilder::try_from(config);
        }
        let connector = config.rustls_https_connector_with_connector(self.connector())?;
        let mut connector = TimeoutConnector::new(connector);
        connector.set_connect_timeout(config.connect_timeout);
        connector.set_read_timeout(config.read_timeout);
        connector.set_write_timeout(config.write_timeout);
        let client: Client<_, Body> = Client::builder(TokioExecutor::new()).build(connector);

        let log = |request: Request<Body>| {
            tracing::debug!(method = %request.method(), uri = %request.uri(), "requesting");
            request
        };
        let service = ServiceBuilder::new()
            .layer(config.base_uri_layer())
            .option_layer(config.auth_layer()?)
            .layer(config.extra_headers_layer()?)
            .layer(MapRequestLayer::new(log))
            .map_err(BoxError::from)
            .service(client);
        let service = service.map_response(|response| {
            response.map(|body| Box::new(body.map_err(BoxError::from)) as Box<DynBody>)
        });
        Ok(ClientBuilder::new(
            service.boxed(),
            config.default_namespace,
        ))
    }
}

#[cfg(test)]
mod tests {
    use socket2::SockRef;
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn sets_socket_options_that_detect_a_dead_server() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("https://{}", listener.local_addr().unwrap());
        let connector = Keepalive::DEFAULT.connector();
        let connection = connector.oneshot(url.parse().unwrap()).await.unwrap();
        let socket = SockRef::from(connection.inner());
        assert!(socket.keepalive().unwrap());
        let Keepalive {
            idle,
            interval,
            probes,
            user_timeout,
        } = Keepalive::DEFAULT;
        assert_eq!(socket.tcp_keepalive_time().unwrap(), idle);
        assert_eq!(socket.tcp_keepalive_interval().unwrap(), interval);
        assert_eq!(socket.tcp_keepalive_retries().unwrap(), probes);
        #[cfg(target_os = "linux")]
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(user_timeout));
        assert!(idle + interval * probes <= Duration::from_secs(45));
        assert!(user_timeout <= Duration::from_secs(45));
    }
}
