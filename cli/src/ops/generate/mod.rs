//! `kb-rs generate`: manifests that follow from the sources.
//!
//! What a manifest says is `model`'s; here is which files hold it, which of those are kb-rs's own, and what happens to the files of
//! kinds that are gone.

mod comments;
mod conversion;
mod crdgen_output;
mod crds;
mod generator;
mod kustomization;
mod output_dir;
mod roles;
mod samples;
mod scaffolded;
mod unused;

pub(crate) use comments::{Comments, is_generated};
pub(crate) use conversion::converted;
pub(crate) use crdgen_output::crds_of;
pub(crate) use crds::{Planned, files, plan, texts};
pub(crate) use generator::Generator;
pub(crate) use output_dir::OutputDir;
pub(crate) use roles::{plan_roles, role_file, role_text, roles_of};
pub(crate) use samples::{Samples, follows};
pub(crate) use scaffolded::plan_scaffolded;
pub(crate) use unused::{Recording, unused};
