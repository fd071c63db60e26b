// SPDX-License-Identifier: Apache-2.0

//! Version v1 of the network.example.com API group.

mod network_policy;
// +kb:scaffold:kinds

pub use network_policy::*;
// +kb:scaffold:exports
