// SPDX-License-Identifier: Apache-2.0

//! Controllers of the manager.

pub mod memcached;
pub mod warmer;
// +kb:scaffold:modules
