//! A client that lists its requests.

use std::sync::{Arc, Mutex};

use http::Request;
use kube::{
    Client, Config,
    client::{Body, ClientBuilder},
};
use tower::util::MapRequestLayer;

/// The verbs of the requests that were sent.
#[derive(Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<Vec<String>>>);

impl Recorder {
    /// A client, and what it sends.
    pub(crate) fn client(config: Config) -> (Client, Self) {
        let recorder = Self::default();
        let sent = recorder.clone();
        let layer = MapRequestLayer::new(move |request: Request<Body>| {
            sent.0.lock().unwrap().push(request.method().to_string());
            request
        });
        let client = ClientBuilder::try_from(config).unwrap().with_layer(&layer);
        (client.build(), recorder)
    }

    /// What was sent since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}
