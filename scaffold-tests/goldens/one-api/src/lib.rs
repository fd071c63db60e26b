// Copyright ACME
// SPDX-License-Identifier: Apache-2.0

//! The manager of one-api: its controllers.

pub mod controller;
