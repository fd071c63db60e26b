// Copyright ACME
// SPDX-License-Identifier: Apache-2.0

//! Prints the CRDs of this API: `kb-rs generate` runs it where the sources alone do not say what a type looks like.

use std::process::ExitCode;

fn main() -> ExitCode {
    kb::crdgen(one_api_api::definitions())
}
