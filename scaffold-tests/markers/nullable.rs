//! `nullable`: allows null. An `Option` alone means optional.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "NullableCase")]
pub struct NullableCaseSpec {
    /// Nullable.
    #[kb(nullable)]
    pub name: Option<String>,
    /// Optional, but not nullable.
    pub other: Option<String>,
    /// List with nullable elements.
    pub holes: Vec<Option<i32>>,
}
