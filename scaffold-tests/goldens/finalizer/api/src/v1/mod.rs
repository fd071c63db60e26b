// SPDX-License-Identifier: Apache-2.0

//! API version bank.example.com/v1.

mod account;
mod branch;
// +kb:scaffold:kinds

pub use account::*;
pub use branch::*;
// +kb:scaffold:exports
