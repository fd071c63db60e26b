// SPDX-License-Identifier: Apache-2.0

//! API group batch.example.com.

pub mod v1;
pub mod v1alpha1;
// +kb:scaffold:versions
