// SPDX-License-Identifier: Apache-2.0

//! The controllers of the network.example.com API group.

pub mod network_policy;
// +kb:scaffold:modules
