//! Makes the table of Kubernetes' own kinds, `model/src/builtin/kinds.tsv`, from the source of k8s-openapi.
//!
//! ```text
//! cargo run -p scaffold-tests --bin builtin-kinds -- DIR > model/src/builtin/kinds.tsv
//! cargo run -p scaffold-tests --bin builtin-kinds -- DIR --check model/src/builtin/kinds.tsv
//! ```
//!
//! DIR is the folder of the package k8s-openapi (`cargo metadata` names it). Only what can be listed is taken, which
//! leaves out subresources, reviews and the types of the protocol itself.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a developer's tool: it reads the sources of a package, and its output is the table"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The Kubernetes version that generated projects pin.
const KUBERNETES: &str = "v1_36";

/// Can be listed, but not watched.
const UNWATCHABLE: &str = "ComponentStatus";

const HEADER: &str = "\
# Kubernetes 1.36. Made by `builtin-kinds` of the package scaffold-tests; do not edit.
# group\tversion\tkind\tplural\tscope\tmodule
";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [directory] => print!("{}", table(Path::new(directory))?),
        [directory, "--check", file] => {
            let committed =
                fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
            if committed != table(Path::new(directory))? {
                bail!(
                    "{file} is not what k8s-openapi has. To write it again:\n  \
                     cargo run -p scaffold-tests --bin builtin-kinds -- {directory} > {file}"
                );
            }
        }
        _ => bail!("usage: builtin-kinds K8S_OPENAPI_DIR [--check FILE]"),
    }
    Ok(())
}

fn table(package: &Path) -> Result<String> {
    let root = package.join("src").join(KUBERNETES);
    let mut lines = BTreeSet::new();
    for file in rust_files(&root)? {
        let source =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let module = module(&root, &file)?;
        for implementation in source.split("impl crate::Resource for ").skip(1) {
            lines.extend(line(implementation, &source, &module));
        }
    }
    if lines.is_empty() {
        bail!("no kinds in {}: is it k8s-openapi?", root.display());
    }
    let lines: Vec<String> = lines.into_iter().collect();
    Ok(format!("{HEADER}{}\n", lines.join("\n")))
}

/// One line of the table, from the text after `impl crate::Resource for `.
fn line(implementation: &str, source: &str, module: &str) -> Option<String> {
    let (rust_type, _) = implementation.split_once(' ')?;
    let listable = source.contains(&format!("impl crate::ListableResource for {rust_type} "));
    if !listable || rust_type == UNWATCHABLE {
        return None;
    }
    let constant = |name: &str| {
        let (_, rest) = implementation.split_once(&format!("const {name}: &'static str = \""))?;
        rest.split_once('"').map(|(value, _)| value)
    };
    let (_, scope) = implementation.split_once("type Scope = crate::")?;
    let scope = match scope.split_once(';')?.0 {
        "NamespaceResourceScope" => "N",
        "ClusterResourceScope" => "C",
        _ => return None,
    };
    let columns = [
        constant("GROUP")?,
        constant("VERSION")?,
        constant("KIND")?,
        constant("URL_PATH_SEGMENT")?,
        scope,
        module,
    ];
    Some(columns.join("\t"))
}

/// The public module of the types in a file: each file is a private module that its parent exports.
fn module(root: &Path, file: &Path) -> Result<String> {
    let folder = file.parent().context("a file is in a folder")?;
    let mut module = "k8s_openapi".to_owned();
    for part in folder.strip_prefix(root)? {
        module += "::";
        module += part.to_str().context("a module has a UTF-8 name")?;
    }
    Ok(module)
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    Ok(files)
}
