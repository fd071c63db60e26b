//! The custom resource of these tests.

use kb::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

/// Sells something.
#[kb::resource(group = "control-plane.example.com", version = "v1", kind = "Shop", status = ShopStatus)]
pub(crate) struct ShopSpec {
    /// What it says of itself.
    pub motto: Option<String>,
}

/// What was last seen.
#[kb::object]
pub(crate) struct ShopStatus {
    /// How it is.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<Condition>,
}
