// SPDX-License-Identifier: Apache-2.0

//! The batch.example.com API group.

pub mod v1;
pub mod v1alpha1;
// +kb:scaffold:versions
