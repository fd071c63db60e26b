// SPDX-License-Identifier: Apache-2.0

//! The owns controllers.

pub mod controller;
