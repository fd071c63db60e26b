// Copyright ACME
// SPDX-License-Identifier: Apache-2.0

//! Controllers of the manager.

pub mod app_service;
// +kb:scaffold:modules
