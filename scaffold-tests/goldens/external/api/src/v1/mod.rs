// SPDX-License-Identifier: Apache-2.0

//! Version v1 of the batch.example.com API group.

mod order;
// +kb:scaffold:kinds

pub use order::*;
// +kb:scaffold:exports
