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

/// All options. The defaults are those of `kb-rs generate` without flags, which the other commands use.
#[derive(Debug, PartialEq, Eq)]
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
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CrdOptions {
    pub(crate) max_desc_len: Option<usize>,
    pub(crate) describe_core_types: bool,
    /// Build crdgen instead of reading the sources.
    pub(crate) build: bool,
    /// Do both and compare.
    pub(crate) verify: bool,
}

/// The options of [`Generator::Rbac`].
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RoleOptions {
    /// The role of rules without a `role_name`.
    pub(crate) name: RoleName,
    pub(crate) deny_wildcards: bool,
    pub(crate) report_unused: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            generator: None,
            comments: Comments::default(),
            crd_dir: OutputDir::of_crds(),
            role_dir: OutputDir::of_roles(),
            crds: CrdOptions::default(),
            roles: RoleOptions::default(),
        }
    }
}

impl Options {
    /// Returns whether to generate these manifests.
    pub(super) fn includes(&self, generator: Generator) -> bool {
        self.generator.is_none_or(|only| only == generator)
    }
}
