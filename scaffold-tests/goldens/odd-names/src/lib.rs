// SPDX-License-Identifier: Apache-2.0

//! Controllers of odd-names.

pub mod controller;
