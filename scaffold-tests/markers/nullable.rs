//! `nullable`: null is a value, too. An `Option` alone means absent.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "NullableCase")]
pub struct NullableCaseSpec {
    /// May be null.
    #[kb(nullable)]
    pub name: Option<String>,
    /// May be absent.
    pub other: Option<String>,
    /// Elements that may be null.
    pub holes: Vec<Option<i32>>,
}
