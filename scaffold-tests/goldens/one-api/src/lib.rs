// Copyright ACME
// SPDX-License-Identifier: Apache-2.0

//! The one-api controllers.

pub mod controller;
