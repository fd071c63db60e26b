//! What can be generated.

/// One kind of manifests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Generator {
    /// The `CustomResourceDefinitions` of the API crate
    Crd,
}

impl Generator {
    /// What `kb-rs generate` makes if it is not told.
    pub(crate) const ALL: &'static [Self] = &[Self::Crd];
}
