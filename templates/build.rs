//! Embeds all files in `tree/`.
#![allow(
    clippy::disallowed_methods,
    reason = "the bans apply to the command, not to build scripts"
)]

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=tree");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo")).join("tree");
    let mut templates = Vec::new();
    collect(&root, "", &mut templates)?;
    templates.sort();

    let entries: Vec<String> = templates
        .iter()
        .map(|id| {
            let path = format!("/tree/{id}.tera");
            format!("({id:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?})))")
        })
        .collect();
    let source = format!(
        "pub(crate) static TEMPLATES: &[(&str, &str)] = &[\n{}\n];\n",
        entries.join(",\n")
    );
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    fs::write(out.join("templates.rs"), source)
}

/// Adds the ids of all templates in `dir`: paths relative to `tree/`, without `.tera`.
fn collect(dir: &Path, prefix: &str, templates: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry
            .file_name()
            .into_string()
            .expect("template names are UTF-8");
        if entry.file_type()?.is_dir() {
            println!("cargo::rerun-if-changed={}", entry.path().display());
            collect(&entry.path(), &format!("{prefix}{name}/"), templates)?;
        } else if let Some(id) = name.strip_suffix(".tera") {
            templates.push(format!("{prefix}{id}"));
        } else {
            panic!(
                "{prefix}{name}: template files must end in .tera, because cargo excludes some file names from packages"
            );
        }
    }
    Ok(())
}
