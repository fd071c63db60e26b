//! The pure part of `kb-rs envtest`: which versions to list, use and remove, and which documents are CRDs.

mod crds;
mod kubernetes;
mod listing;
mod removal;

pub(crate) use crds::crds_in;
pub(crate) use kubernetes::kubernetes_version;
pub(crate) use listing::{Listing, Platforms};
pub(crate) use removal::select_for_removal;
