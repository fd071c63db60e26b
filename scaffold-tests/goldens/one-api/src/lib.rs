// Copyright ACME
// SPDX-License-Identifier: Apache-2.0

//! Controllers of one-api.

pub mod controller;
