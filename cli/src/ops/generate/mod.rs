//! `kb-rs generate`: manifests derived from the Rust sources.
//!
//! `model` defines the content of the manifests. This module decides which files hold them, which of those files kb-rs owns, and when to
//! remove one.

mod comments;
mod conversion;
mod crd_files;
mod crdgen_output;
mod crds;
mod follow_up;
mod host;
mod kustomization;
mod manifests;
mod options;
mod output_dir;
mod planned_tree;
mod role_file;
mod roles;
mod samples;
mod unused;

pub(crate) use comments::{Comments, is_generated};
pub(crate) use follow_up::plan_manifests;
pub(crate) use host::{Host, ProjectFiles};
pub(crate) use manifests::Manifests;
pub(crate) use options::{CrdOptions, Generator, Options, RoleOptions};
pub(crate) use output_dir::OutputDir;
pub(crate) use role_file::{role_file, role_text};
pub(crate) use roles::roles_of;
pub(crate) use samples::is_untouched_sample;
pub(crate) use unused::RecordingFiles;
