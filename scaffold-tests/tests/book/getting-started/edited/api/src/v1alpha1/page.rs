// SPDX-License-Identifier: Apache-2.0

//! API types of Page.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

/// Desired state of Page.
#[kb::resource(
    group = "web.example.com",
    version = "v1alpha1",
    kind = "Page",
    status = PageStatus,
    doc = "Page is a web page stored in a ConfigMap."
)]
pub struct PageSpec {
    /// Heading of the page.
    #[kb(min_length = 1, max_length = 80, column)]
    pub title: String,
    /// Text of the page.
    pub text: Option<String>,
    /// Language of the page.
    #[kb(pattern = "^[a-z]{2}$", default = "en".to_owned())]
    pub language: String,
}

/// Observed state of Page.
#[kb::object]
pub struct PageStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Size of the page in bytes.
    #[kb(column(name = "Bytes"))]
    pub bytes: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
