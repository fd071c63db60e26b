//! Requests that are sent to the API server, and those that are not.

mod apply;
mod events;
mod matches_live;
mod matches_live_random;
mod prune;
mod readiness;
mod server;
mod stale;
mod status;
mod throttling;

use k8s_openapi::api::core::v1::ConfigMap;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{Objects, Owner};
use server::Server;

const MANAGER: &str = "shop-operator";
/// UID of the owner in the fixtures, which are responses of a real API server.
const OWNER_UID: &str = "2cbdf4f6-b2a6-43c6-ad36-f07e6cd9fe94";

/// Returns an applied object and the response of a real API server.
macro_rules! fixture {
    ($name:literal) => {
        (
            include_str!(concat!("../fixtures/", $name, ".desired.json")),
            include_str!(concat!("../fixtures/", $name, ".live.json")),
        )
    };
}
use fixture;

fn from<K: DeserializeOwned>(value: Value) -> K {
    serde_json::from_value(value).unwrap()
}

fn owner() -> Owner {
    Owner::of(&shop()).unwrap()
}

/// Returns the owner in the fixtures.
fn shop() -> ConfigMap {
    from(json!({"metadata": {"name": "a", "namespace": "default", "uid": OWNER_UID}}))
}

fn objects(server: &Server) -> Objects {
    Objects::new(server.client(), MANAGER)
}
