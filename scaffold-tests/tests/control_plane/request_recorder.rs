//! A client that records its requests.

use std::sync::{Arc, Mutex};

use http::Request;
use kube::{
    Client, Config,
    client::{Body, ClientBuilder},
};
use tower::util::MapRequestLayer;

/// HTTP methods and paths of the recorded requests.
#[derive(Clone, Default)]
pub(crate) struct RequestRecorder(Arc<Mutex<Vec<(String, String)>>>);

impl RequestRecorder {
    /// Creates a client and the recorder of its requests.
    pub(crate) fn client(config: Config) -> (Client, Self) {
        let recorder = Self::default();
        let sent = recorder.clone();
        let layer = MapRequestLayer::new(move |request: Request<Body>| {
            let path = request.uri().path().to_owned();
            let sent_request = (request.method().to_string(), path);
            sent.0.lock().unwrap().push(sent_request);
            request
        });
        let client = ClientBuilder::try_from(config).unwrap().with_layer(&layer);
        (client.build(), recorder)
    }

    /// Returns the methods of the requests since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        let requests = std::mem::take(&mut *self.0.lock().unwrap());
        requests.into_iter().map(|(method, _)| method).collect()
    }

    /// Returns the number of requests with this method and end of the path.
    pub(crate) fn count(&self, method: &str, path_end: &str) -> usize {
        let requests = self.0.lock().unwrap();
        let requests = requests.iter();
        requests
            .filter(|(sent, path)| sent == method && path.ends_with(path_end))
            .count()
    }
}
