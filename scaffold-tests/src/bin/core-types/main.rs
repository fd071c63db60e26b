//! Generates the table of built-in types, `model/src/core_types/table.tsv`, and the list of their Rust types,
//! `runtime/src/schema/core_types.rs`.
//!
//! ```text
//! cargo run -p scaffold-tests --bin core-types -- table DIR > model/src/core_types/table.tsv
//! cargo run -p scaffold-tests --bin core-types -- rust DIR > runtime/src/schema/core_types.rs
//! cargo run -p scaffold-tests --bin core-types -- table DIR --check model/src/core_types/table.tsv
//! ```
//!
//! DIR is the directory of the package k8s-openapi (see `cargo metadata`), whose Rust types the table contains. Their schemas are read from
//! Kubernetes' Go types by the rules of controller-gen, and must agree with Kubernetes' `OpenAPI` documents. `go` fetches both.

#![allow(
    clippy::disallowed_methods,
    reason = "a developer tool that reads the sources of packages"
)]

mod documents;
mod entry;
mod go_types;
mod known;
mod markers;
mod modules;
mod packages;
mod rust_list;
mod rust_types;
mod source;
mod table;

use std::path::Path;

use anyhow::{Result, bail};
use scaffold_tests::print_or_check;

fn main() -> Result<()> {
    print_or_check("core-types", "table|rust K8S_OPENAPI_DIR", |arguments| {
        generate(arguments[0], Path::new(arguments[1]))
    })
}

fn generate(output: &str, k8s_openapi: &Path) -> Result<String> {
    let (rust_types, versions) = rust_types::read(k8s_openapi)?;
    let modules = modules::Modules::download()?;
    let table = table::Table::of(&rust_types, &modules)?;
    documents::check(&table.0, &modules.documents())?;
    match output {
        "table" => Ok(table.text()),
        "rust" => Ok(rust_list::text(&rust_types, &versions, &table)),
        other => bail!("{other} is neither `table` nor `rust`"),
    }
}
