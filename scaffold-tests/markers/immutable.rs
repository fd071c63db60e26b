//! `immutable`: rejects changes. An optional field cannot be removed once set.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "ImmutableCase")]
pub struct ImmutableCaseSpec {
    /// Required and immutable.
    #[kb(immutable)]
    pub name: String,
    /// Cannot be changed or removed once set.
    #[kb(immutable)]
    pub storage_class: Option<String>,
}
