// SPDX-License-Identifier: MIT

//! Prints the CRDs of this API: `kb-rs generate` runs it where the sources alone do not say what a type looks like.

use std::process::ExitCode;

fn main() -> ExitCode {
    kb::crdgen(two_apis_api::definitions())
}
