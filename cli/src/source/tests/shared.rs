//! What several threads read together. That it is what one reads alone is checked for every tree of these tests, see `read_tree`.

use std::fmt::Write;

use super::{
    super::read_shared,
    memory::{complete, read_tree, tree},
};
use crate::plan::RelPath;

/// An API with this many kinds, each in a file of its own with this text; `KIND` stands for its name.
fn api(kinds: usize, text: impl Fn(usize) -> String) -> Vec<(String, String)> {
    let names: Vec<String> = (0..kinds).map(|number| format!("K{number}")).collect();
    let mut modules = String::new();
    let mut list =
        String::from("pub mod v1;\npub fn definitions() -> Vec<kb::CrdDefinition> { vec![");
    let mut files = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let module = name.to_lowercase();
        writeln!(modules, "mod {module};\npub use {module}::*;").unwrap();
        write!(list, "v1::{name}::definition(),").unwrap();
        let kind = format!(
            "use kb::resource;
             #[resource(group = \"example.com\", version = \"v1\", kind = \"{name}\")]
             pub struct {name}Spec {{ pub a: i32, pub b: {name}Part }}
             #[kb::object] pub struct {name}Part {{ pub c: String }}
             {}",
            text(number)
        );
        files.push((format!("api/src/v1/{module}.rs"), kind));
    }
    files.push(("api/src/v1/mod.rs".to_owned(), modules));
    files.push(("api/src/lib.rs".to_owned(), list + "] }"));
    files
}

fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect()
}

/// How many kinds two threads find together; none if they leave it to one.
fn shared(files: &[(String, String)]) -> Option<usize> {
    let files = borrowed(files);
    let _ = read_tree(&files);
    read_shared(&RelPath::new("api"), &tree(&files), 2).map(|(definitions, _)| definitions.len())
}

#[test]
fn plain_files_are_shared() {
    let files = api(5, |_| String::new());
    assert_eq!(shared(&files), Some(5));
    assert_eq!(complete(&borrowed(&files)).definitions.len(), 5);
}

#[test]
fn shared_types_are_read_by_all() {
    let mut files = api(4, |_| {
        "#[kb::object] pub struct Own { pub part: super::super::Common }".to_owned()
    });
    for (path, text) in &mut files {
        if path == "api/src/lib.rs" {
            text.push_str("#[kb::object] pub struct Common { pub d: bool }");
        } else if path.contains("/k") {
            *text = text.replace("pub a: i32", "pub a: crate::Common");
        }
    }
    // `Own` comes from four files by `*`, and nobody asks for it.
    assert_eq!(shared(&files), Some(4));
}

#[test]
fn who_needs_the_type_of_another_file_reads_alone() {
    let files = api(4, |number| match number {
        0 => "#[kb::object] pub struct Common { pub d: bool }".to_owned(),
        _ => String::new(),
    });
    let files: Vec<_> = files
        .into_iter()
        .map(|(path, text)| {
            (
                path,
                text.replace("pub c: String", "pub c: crate::v1::Common"),
            )
        })
        .collect();
    assert_eq!(shared(&files), None);
}

#[test]
fn a_name_that_another_file_shadows_is_not_missed() {
    let mut files = api(4, |number| match number {
        0 => "#[kb::object] pub struct String { pub d: bool }".to_owned(),
        _ => "use super::*;".to_owned(),
    });
    assert_eq!(shared(&files), None);
    files.retain(|(path, _)| path != "api/src/v1/k0.rs");
    assert_eq!(shared(&files), None);
}

#[test]
fn what_has_to_be_said_is_left_to_one() {
    let mistake = api(3, |number| match number {
        2 => "#[kb::object] pub struct Own { #[kb(minimum = true)] pub d: i32 }".to_owned(),
        _ => String::new(),
    });
    assert_eq!(shared(&mistake), None);
    let reason = api(3, |number| match number {
        1 => "#[cfg(unix)] pub struct Own;".to_owned(),
        _ => String::new(),
    });
    assert_eq!(shared(&reason), Some(3));
}
