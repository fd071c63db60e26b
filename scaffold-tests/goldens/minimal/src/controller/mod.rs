// SPDX-License-Identifier: Apache-2.0

//! Controllers.

// +kb:scaffold:modules
