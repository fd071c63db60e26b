// SPDX-License-Identifier: Apache-2.0

//! API version batch.example.com/v1.

mod order;
// +kb:scaffold:kinds

pub use order::*;
// +kb:scaffold:exports
