// SPDX-License-Identifier: MIT

//! Version v1 of the fleet.example.com API group.

mod backup;
mod cluster;
// +kb:scaffold:kinds

pub use backup::*;
pub use cluster::*;
// +kb:scaffold:exports
