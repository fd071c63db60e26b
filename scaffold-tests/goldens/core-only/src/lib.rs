// SPDX-License-Identifier: Apache-2.0

//! The core-only controllers.

pub mod controller;
