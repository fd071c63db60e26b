//! The options of `kb-rs generate`.

use kb_model::RoleName;

use super::{Comments, OutputDir};

/// One kind of manifests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Generator {
    /// CRDs of the kinds in the API crate
    Crd,
    /// Manager role, from the `#[kb::rbac(..)]` markers in all packages
    Rbac,
}

/// All options.
#[derive(Debug)]
pub(crate) struct Options {
    /// The manifests to generate; `None` for all.
    pub(crate) generator: Option<Generator>,
    /// The comments at the top of each file.
    pub(crate) comments: Comments,
    /// Where CRDs are written.
    pub(crate) crd_dir: OutputDir,
    /// Where the role is written.
    pub(crate) role_dir: OutputDir,
    pub(crate) crds: CrdOptions,
    pub(crate) roles: RoleOptions,
}

/// The options of [`Generator::Crd`].
#[derive(Debug)]
pub(crate) struct CrdOptions {
    pub(crate) max_desc_len: Option<usize>,
    pub(crate) describe_core_types: bool,
    /// Build crdgen instead of reading the sources.
    pub(crate) build: bool,
    /// Do both and compare.
    pub(crate) verify: bool,
}

/// The options of [`Generator::Rbac`].
#[derive(Debug)]
pub(crate) struct RoleOptions {
    /// The role of rules without a `role_name`.
    pub(crate) name: RoleName,
    pub(crate) deny_wildcards: bool,
    pub(crate) report_unused: bool,
}

impl Options {
    /// Returns whether to generate these manifests.
    pub(super) fn includes(&self, generator: Generator) -> bool {
        self.generator.is_none_or(|only| only == generator)
    }
}
