//! API types of AppService.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of AppService.
#[kb::resource(
    group = "batch.example.com",
    version = "v1alpha1",
    kind = "AppService",
    status = AppServiceStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "AppService is the Schema for the appservices API."
)]
pub struct AppServiceSpec {
    /// Example field of AppService. Replace it with your own.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// Observed state of AppService.
#[kb::object]
pub struct AppServiceStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
