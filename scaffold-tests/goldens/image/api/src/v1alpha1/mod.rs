// SPDX-License-Identifier: Apache-2.0

//! API version cache.example.com/v1alpha1.

mod memcached;
mod warmer;
// +kb:scaffold:kinds

pub use memcached::*;
pub use warmer::*;
// +kb:scaffold:exports
