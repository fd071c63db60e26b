// SPDX-License-Identifier: Apache-2.0

//! The network.example.com API group.

pub mod v1;
// +kb:scaffold:versions
