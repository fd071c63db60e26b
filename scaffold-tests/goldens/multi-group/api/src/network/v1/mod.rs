// SPDX-License-Identifier: Apache-2.0

//! API version network.example.com/v1.

mod network_policy;
// +kb:scaffold:kinds

pub use network_policy::*;
// +kb:scaffold:exports
