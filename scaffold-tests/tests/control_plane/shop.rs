//! The custom resource of these tests.

use kb::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

/// A shop.
#[kb::resource(group = "control-plane.example.com", version = "v1", kind = "Shop", status = ShopStatus)]
pub(crate) struct ShopSpec {
    /// Advertising slogan.
    pub motto: Option<String>,
}

/// Observed state.
#[kb::object]
pub(crate) struct ShopStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Conditions of the shop.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<Condition>,
}
