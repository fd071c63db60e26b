// SPDX-License-Identifier: Apache-2.0

//! The Page kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

/// What a Page asks for.
#[kb::resource(
    group = "web.example.com",
    version = "v1alpha1",
    kind = "Page",
    status = PageStatus,
    doc = "Page is a web page, kept in a ConfigMap."
)]
pub struct PageSpec {
    /// The heading.
    #[kb(min_length = 1, max_length = 80, column)]
    pub title: String,
    /// The text below it.
    pub text: Option<String>,
    /// The language of the page.
    #[kb(pattern = "^[a-z]{2}$", default = "en".to_owned())]
    pub language: String,
}

/// What the controller saw last.
#[kb::object]
pub struct PageStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// How long the page is, in bytes.
    #[kb(column(name = "Bytes"))]
    pub bytes: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
