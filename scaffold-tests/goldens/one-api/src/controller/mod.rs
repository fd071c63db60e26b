// Copyright ACME
// SPDX-License-Identifier: Apache-2.0

//! Controllers.

pub mod app_service;
// +kb:scaffold:modules
