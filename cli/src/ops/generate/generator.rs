//! What can be generated.

/// One kind of manifests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Generator {
    /// The `CustomResourceDefinitions` of the API crate
    Crd,
    /// The role of the operator, from `#[kb::rbac(..)]` in all packages
    Rbac,
}
