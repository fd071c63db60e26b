// SPDX-License-Identifier: Apache-2.0

//! Controllers of the manager.

pub mod a_kind_whose_name_is_so_long_that_lines_have_to_be_broken;
pub mod condition;
pub mod controller_;
pub mod foo;
pub mod http_route2_xx;
pub mod metric;
pub mod move_;
pub mod task;
pub mod type_;
// +kb:scaffold:modules
