// SPDX-License-Identifier: Apache-2.0

//! Controllers of the API group network.example.com.

pub mod network_policy;
// +kb:scaffold:modules
