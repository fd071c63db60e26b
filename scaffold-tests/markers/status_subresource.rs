//! `status_subresource`: with a status there is one, unless said; without, there can be one, too.

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "StatusOnly",
    status_subresource = true
)]
pub struct StatusOnlySpec {
    /// A text.
    pub text: String,
}
