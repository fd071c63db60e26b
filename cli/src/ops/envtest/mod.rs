//! What `kb-rs envtest` decides without looking: which versions to list, to take and to remove, and what of a file is a CRD.

mod crds;
mod kubernetes;
mod listing;
mod removal;

pub(crate) use crds::crds_in;
pub(crate) use kubernetes::kubernetes_of;
pub(crate) use listing::{Listing, Platforms};
pub(crate) use removal::chosen;
