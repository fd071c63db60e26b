// SPDX-License-Identifier: Apache-2.0

//! Controllers of owns.

pub mod controller;
