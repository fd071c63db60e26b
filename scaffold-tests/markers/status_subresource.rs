//! `status_subresource`: adds or removes the status subresource. The default follows from `status`.

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "StatusOnly",
    status_subresource = true
)]
pub struct StatusOnlySpec {
    /// String value.
    pub text: String,
}
