//! `served`, `storage` and `deprecated`: lifecycle of a version.

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "VersionFlagsCase",
    storage,
    served = true,
    deprecated = "use v2"
)]
pub struct VersionFlagsCaseSpec {
    /// String value.
    pub text: String,
}
