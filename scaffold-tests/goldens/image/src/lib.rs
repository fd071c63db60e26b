// SPDX-License-Identifier: Apache-2.0

//! The image controllers.

pub mod controller;
