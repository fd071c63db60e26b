// SPDX-License-Identifier: Apache-2.0

//! The controllers.

// +kb:scaffold:modules
