// SPDX-License-Identifier: Apache-2.0

//! API version odd.k8s.io/v1.

mod a_kind_whose_name_is_so_long_that_lines_have_to_be_broken;
mod condition;
mod controller;
mod foo;
mod http_route2_xx;
mod metric;
mod move_;
mod task;
mod type_;
// +kb:scaffold:kinds

pub use a_kind_whose_name_is_so_long_that_lines_have_to_be_broken::*;
pub use condition::*;
pub use controller::*;
pub use foo::*;
pub use http_route2_xx::*;
pub use metric::*;
pub use move_::*;
pub use task::*;
pub use type_::*;
// +kb:scaffold:exports
