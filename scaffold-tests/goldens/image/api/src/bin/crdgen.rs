// SPDX-License-Identifier: Apache-2.0

//! Prints the CRDs of this API. `kb-rs generate` runs it for types that it cannot resolve from source alone.

use std::process::ExitCode;

fn main() -> ExitCode {
    kb::crdgen(image_api::definitions())
}
