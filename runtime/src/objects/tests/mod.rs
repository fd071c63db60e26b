//! What is sent to the API server, and what is not.

mod apply;
mod events;
mod fights;
mod held;
mod held_always;
mod prune;
mod server;
mod stale;
mod status;

use k8s_openapi::api::core::v1::ConfigMap;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{Objects, Owner};
use server::Server;

const MANAGER: &str = "shop-operator";
/// The owner in the fixtures. They are answers of a real API server.
const OWNER_UID: &str = "2cbdf4f6-b2a6-43c6-ad36-f07e6cd9fe94";

/// Something of this name that a real API server gave back, and what was applied to it.
macro_rules! fixture {
    ($name:literal) => {
        (
            include_str!(concat!("../fixtures/", $name, ".wanted.json")),
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

/// The owner in the fixtures.
fn shop() -> ConfigMap {
    from(json!({"metadata": {"name": "a", "namespace": "default", "uid": OWNER_UID}}))
}

fn objects(server: &Server) -> Objects {
    Objects::new(server.client(), MANAGER)
}
