// SPDX-License-Identifier: Apache-2.0

//! The finalizer controllers.

pub mod controller;
