// SPDX-License-Identifier: MIT

//! API version fleet.example.com/v1.

mod backup;
mod cluster;
// +kb:scaffold:kinds

pub use backup::*;
pub use cluster::*;
// +kb:scaffold:exports
