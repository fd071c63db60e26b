//! `immutable`: a field that may not change. If it is optional, it may not be taken away either.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "ImmutableCase")]
pub struct ImmutableCaseSpec {
    /// Always there.
    #[kb(immutable)]
    pub name: String,
    /// Once set, it stays.
    #[kb(immutable)]
    pub storage_class: Option<String>,
}
