// SPDX-License-Identifier: Apache-2.0

//! The external controllers.

pub mod controller;
