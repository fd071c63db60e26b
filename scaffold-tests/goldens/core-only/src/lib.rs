// SPDX-License-Identifier: Apache-2.0

//! Controllers of core-only.

pub mod controller;
