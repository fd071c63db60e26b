//! Makes the table of Kubernetes' own types, `model/src/core_types/table.tsv`, and the list of their Rust types,
//! `runtime/src/schema/core_types.rs`.
//!
//! ```text
//! cargo run -p scaffold-tests --bin core-types -- table DIR > model/src/core_types/table.tsv
//! cargo run -p scaffold-tests --bin core-types -- rust DIR > runtime/src/schema/core_types.rs
//! cargo run -p scaffold-tests --bin core-types -- table DIR --check model/src/core_types/table.tsv
//! ```
//!
//! DIR is the folder of the package k8s-openapi (`cargo metadata` names it): its Rust types are those that the table
//! has. What they look like is read from Kubernetes' Go types, by the rules of controller-gen, and must agree with
//! Kubernetes' `OpenAPI` documents. Both come from Go modules: it needs `go`.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a developer's tool: it reads the sources of packages, and its output is the table"
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

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [output, directory] => print!("{}", make(output, directory)?),
        [output, directory, "--check", file] => {
            let committed =
                fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
            if committed != make(output, directory)? {
                bail!(
                    "{file} is not what Kubernetes has. To write it again:\n  \
                     cargo run -p scaffold-tests --bin core-types -- {output} {directory} > {file}"
                );
            }
        }
        _ => bail!("usage: core-types table|rust K8S_OPENAPI_DIR [--check FILE]"),
    }
    Ok(())
}

fn make(output: &str, directory: &str) -> Result<String> {
    let (rust_types, versions) = rust_types::read(Path::new(directory))?;
    let modules = modules::Modules::download()?;
    let table = table::Table::of(&rust_types, &modules)?;
    documents::check(&table.0, &modules.documents())?;
    match output {
        "table" => Ok(table.text()),
        "rust" => Ok(rust_list::text(&rust_types, &versions, &table)),
        other => bail!("{other} is neither `table` nor `rust`"),
    }
}
