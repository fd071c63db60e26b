// SPDX-License-Identifier: Apache-2.0

//! Controllers of external.

pub mod controller;
