//! A client that records its requests.

use std::sync::{Arc, Mutex};

use http::Request;
use kube::{
    Client, Config,
    client::{Body, ClientBuilder},
};
use tower::util::MapRequestLayer;

/// HTTP methods of the recorded requests.
#[derive(Clone, Default)]
pub(crate) struct RequestRecorder(Arc<Mutex<Vec<String>>>);

impl RequestRecorder {
    /// Creates a client and the recorder of its requests.
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

    /// Returns the requests since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}
