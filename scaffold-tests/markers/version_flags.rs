//! `served`, `storage` and `deprecated`: the fate of a version.

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "VersionFlagsCase",
    storage,
    served = true,
    deprecated = "use v2"
)]
pub struct VersionFlagsCaseSpec {
    /// A text.
    pub text: String,
}
