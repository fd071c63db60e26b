// SPDX-License-Identifier: Apache-2.0

//! API group network.example.com.

pub mod v1;
// +kb:scaffold:versions
