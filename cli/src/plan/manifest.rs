//! Edits of Cargo.toml that preserve formatting, comments and order.

use similar::{ChangeTag, TextDiff};
use thiserror::Error;
use toml_edit::{Array, DocumentMut, Item, Key, Table, TomlError, Value};

/// An edit of a Cargo.toml. Existing members and dependencies are never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CargoEdit {
    /// Adds a workspace member, also to `default-members`.
    Member(String),
    /// Adds a dependency.
    Dependency {
        /// Table.
        table: DependencyTable,
        /// Package name.
        name: String,
        /// Value in TOML: `"1"` or `{ path = "api" }`.
        value: String,
    },
    /// Removes a workspace member.
    RemoveMember(String),
    /// Removes a dependency unless the user changed it.
    RemoveDependency {
        /// Table.
        table: DependencyTable,
        /// Package name.
        name: String,
        /// Value in TOML.
        value: String,
    },
}

/// A table of dependencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependencyTable {
    /// `[dependencies]`
    Normal,
    /// `[dev-dependencies]`
    Dev,
}

impl DependencyTable {
    fn key(self) -> &'static str {
        match self {
            Self::Normal => "dependencies",
            Self::Dev => "dev-dependencies",
        }
    }
}

/// Error of an edit.
#[derive(Debug, Error)]
pub(super) enum ManifestError {
    #[error("is not valid TOML: {0}")]
    Syntax(String),
    #[error("has `{0}` in an unsupported form")]
    Shape(&'static str),
}

impl From<TomlError> for ManifestError {
    fn from(error: TomlError) -> Self {
        Self::Syntax(error.to_string().trim_end().to_owned())
    }
}

/// Returns `text` with the edit.
pub(super) fn edit(text: &str, edit: &CargoEdit) -> Result<String, ManifestError> {
    let mut document: DocumentMut = text.parse()?;
    match edit {
        CargoEdit::Member(member) => add_member(&mut document, member)?,
        CargoEdit::Dependency { table, name, value } => {
            add_dependency(&mut document, *table, name, value)?;
        }
        CargoEdit::RemoveMember(member) => remove_member(&mut document, member),
        CargoEdit::RemoveDependency { table, name, value } => {
            remove_dependency(&mut document, *table, name, value)?;
        }
    }
    Ok(with_line_endings_of(text, document.to_string()))
}

fn add_member(document: &mut DocumentMut, member: &str) -> Result<(), ManifestError> {
    let workspace = table(document, "workspace")?;
    add_to_array(workspace, "members", "workspace.members", &[member])?;
    add_to_array(
        workspace,
        "default-members",
        "workspace.default-members",
        &[".", member],
    )
}

fn add_to_array(
    table: &mut Table,
    key: &str,
    name: &'static str,
    values: &[&str],
) -> Result<(), ManifestError> {
    let item = table
        .entry(key)
        .or_insert_with(|| toml_edit::value(Array::new()));
    let array = item.as_array_mut().ok_or(ManifestError::Shape(name))?;
    for value in values {
        if !array.iter().any(|known| known.as_str() == Some(value)) {
            array.push(*value);
        }
    }
    Ok(())
}

fn add_dependency(
    document: &mut DocumentMut,
    kind: DependencyTable,
    name: &str,
    value: &str,
) -> Result<(), ManifestError> {
    let value: Value = value.parse()?;
    let is_new = !document.contains_key(kind.key());
    let dependencies = table(document, kind.key())?;
    if dependencies.contains_key(name) {
        return Ok(());
    }
    let sorted = dependencies.iter().map(|(key, _)| key).is_sorted();
    dependencies.insert_formatted(&Key::new(name), Item::Value(value));
    if sorted {
        dependencies.sort_values();
    }
    if is_new {
        move_to_dependencies(document, kind);
    }
    Ok(())
}

fn remove_member(document: &mut DocumentMut, member: &str) {
    let Some(workspace) = document
        .get_mut("workspace")
        .and_then(Item::as_table_like_mut)
    else {
        return;
    };
    let is_member = |known: &Value| known.as_str().is_some_and(|known| is_dir(known, member));
    // A key is removed once it has cargo's default.
    for (key, default) in [("members", &[][..]), ("default-members", &["."])] {
        let Some(array) = workspace.get_mut(key).and_then(Item::as_array_mut) else {
            continue;
        };
        let prefix = array
            .get(0)
            .and_then(|first| first.decor().prefix())
            .cloned();
        array.retain(|known| !is_member(known));
        // The second element is preceded by a space.
        if let (Some(first), Some(prefix)) = (array.get_mut(0), prefix) {
            first.decor_mut().set_prefix(prefix);
        }
        let left = array.iter().map(Value::as_str);
        if left.eq(default.iter().copied().map(Some)) {
            workspace.remove(key);
        }
    }
}

/// Returns whether a path names that directory: `./api/` is `api`.
fn is_dir(path: &str, dir: &str) -> bool {
    path.trim_start_matches("./").trim_end_matches('/') == dir
}

fn remove_dependency(
    document: &mut DocumentMut,
    kind: DependencyTable,
    name: &str,
    value: &str,
) -> Result<(), ManifestError> {
    let added: Value = value.parse()?;
    let dir = added.as_inline_table().and_then(|table| table.get("path"));
    let dir = dir.and_then(Value::as_str);
    let Some(dependencies) = document
        .get_mut(kind.key())
        .and_then(Item::as_table_like_mut)
    else {
        return Ok(());
    };
    let text = |value: &Value| value.to_string().trim().to_owned();
    let is_unmodified = |item: &Item| {
        // A path dependency breaks without its directory, so it goes even if the user changed other fields.
        let path = item.as_table_like().and_then(|table| table.get("path"));
        let path = path.and_then(Item::as_str);
        let is_crate = path.is_some_and(|path| dir.is_some_and(|dir| is_dir(path, dir)));
        is_crate
            || item
                .as_value()
                .is_some_and(|item| text(item) == text(&added))
    };
    if dependencies.get(name).is_some_and(is_unmodified) {
        dependencies.remove(name);
    }
    if dependencies.is_empty() && kind != DependencyTable::Normal {
        document.remove(kind.key());
    }
    Ok(())
}

/// Moves a new table from the end of the file to `[dependencies]`.
fn move_to_dependencies(document: &mut DocumentMut, kind: DependencyTable) {
    let Some(position) = document
        .get(DependencyTable::Normal.key())
        .and_then(Item::as_table)
        .and_then(Table::position)
    else {
        return;
    };
    if let Some(table) = document.get_mut(kind.key()).and_then(Item::as_table_mut) {
        table.set_position(Some(position));
        table.decor_mut().set_prefix("\n");
    }
}

fn table<'a>(
    document: &'a mut DocumentMut,
    key: &'static str,
) -> Result<&'a mut Table, ManifestError> {
    document
        .entry(key)
        .or_insert_with(toml_edit::table)
        .as_table_mut()
        .ok_or(ManifestError::Shape(key))
}

/// Restores the line endings of unchanged lines, because `toml_edit` writes LF.
fn with_line_endings_of(original: &str, text: String) -> String {
    if !original.contains("\r\n") {
        return text;
    }
    let lines: Vec<&str> = original.split_inclusive('\n').collect();
    let normalized = original.replace("\r\n", "\n");
    TextDiff::from_lines(normalized.as_str(), text.as_str())
        .iter_all_changes()
        .filter(|change| change.tag() != ChangeTag::Delete)
        .map(|change| match change.old_index() {
            Some(index) => lines[index].to_owned(),
            None => change.value().replace('\n', "\r\n"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependency(table: DependencyTable, name: &str) -> CargoEdit {
        CargoEdit::Dependency {
            table,
            name: name.to_owned(),
            value: "\"1\"".to_owned(),
        }
    }

    #[track_caller]
    fn check(text: &str, change: &CargoEdit, expected: &str) {
        let once = edit(text, change).unwrap();
        assert_eq!(once, expected);
        assert_eq!(edit(&once, change).unwrap(), once, "idempotent");
    }

    #[track_caller]
    fn check_revert(text: &str, change: &CargoEdit, revert: &CargoEdit) {
        let changed = edit(text, change).unwrap();
        assert_ne!(changed, text);
        assert_eq!(edit(&changed, revert).unwrap(), text);
    }

    #[test]
    fn a_reverted_edit_restores_the_text() {
        for text in [
            "[dependencies]\na = \"1\"\n# about c\nc = \"1\" # c\n\n[lints]\nworkspace = true\n",
            "[dependencies]\na = \"1\"\n\n[dev-dependencies]\nc = \"1\"\n",
            "[dependencies]\r\na = \"1\"\r\n",
        ] {
            for table in [DependencyTable::Normal, DependencyTable::Dev] {
                let revert = CargoEdit::RemoveDependency {
                    table,
                    name: "b".to_owned(),
                    value: "\"1\"".to_owned(),
                };
                check_revert(text, &dependency(table, "b"), &revert);
            }
        }
        for text in [
            "[workspace]\n\n[package]\nname = \"a\"\n",
            "[workspace]\nmembers = [\"x\"]\ndefault-members = [\".\", \"x\"]\n",
            "[workspace]\nmembers = [\n  \"x\", # x\n]\n",
        ] {
            let api = || "api".to_owned();
            check_revert(
                text,
                &CargoEdit::Member(api()),
                &CargoEdit::RemoveMember(api()),
            );
        }
    }

    #[test]
    fn removes_other_spellings_of_a_path() {
        let dependency = CargoEdit::RemoveDependency {
            table: DependencyTable::Normal,
            name: "b".to_owned(),
            value: "{ path = \"api\" }".to_owned(),
        };
        for text in [
            "[dependencies]\na = \"1\"\n\n[dependencies.b]\npath = \"api\"\n",
            "[dependencies]\na = \"1\"\nb = { path = \"./api\", version = \"0.1\" }\n",
        ] {
            let after = edit(text, &dependency).unwrap();
            assert_eq!(after.trim_end(), "[dependencies]\na = \"1\"", "{text}");
        }
        check(
            "[workspace]\nmembers = [\"./api\", \"crates/*\"]\n",
            &CargoEdit::RemoveMember("api".to_owned()),
            "[workspace]\nmembers = [\"crates/*\"]\n",
        );
    }

    #[test]
    fn keeps_a_dependency_changed_by_the_user() {
        let text = "[dependencies]\nb = { path = \"../b\" }\n";
        let revert = CargoEdit::RemoveDependency {
            table: DependencyTable::Normal,
            name: "b".to_owned(),
            value: "\"1\"".to_owned(),
        };
        check(text, &revert, text);
    }

    #[test]
    fn keeps_a_table_sorted() {
        check(
            "[dependencies]\na = \"1\"\n# about c\nc = \"1\" # c\n\n[features]\n",
            &dependency(DependencyTable::Normal, "b"),
            "[dependencies]\na = \"1\"\nb = \"1\"\n# about c\nc = \"1\" # c\n\n[features]\n",
        );
    }

    #[test]
    fn appends_to_an_unsorted_table() {
        check(
            "[dependencies]\nz = \"1\"\na = \"1\"\n",
            &dependency(DependencyTable::Normal, "b"),
            "[dependencies]\nz = \"1\"\na = \"1\"\nb = \"1\"\n",
        );
    }

    #[test]
    fn keeps_an_existing_dependency() {
        let text = "[dependencies]\nb = { path = \"../b\" }\n";
        check(text, &dependency(DependencyTable::Normal, "b"), text);
    }

    #[test]
    fn adds_a_new_table_after_dependencies() {
        check(
            "[dependencies]\na = \"1\"\n\n[lints]\nworkspace = true\n",
            &dependency(DependencyTable::Dev, "b"),
            "[dependencies]\na = \"1\"\n\n[dev-dependencies]\nb = \"1\"\n\n[lints]\nworkspace = true\n",
        );
    }

    #[test]
    fn adds_members_in_the_existing_style() {
        check(
            "[workspace]\nmembers = [\n  \"x\", # x\n]\n",
            &CargoEdit::Member("api".to_owned()),
            "[workspace]\nmembers = [\n  \"x\", \"api\", # x\n]\ndefault-members = [\".\", \"api\"]\n",
        );
    }

    #[test]
    fn keeps_mixed_line_endings() {
        check(
            "[dependencies]\r\na = \"1\"\nc = \"1\"\r\n",
            &dependency(DependencyTable::Normal, "b"),
            "[dependencies]\r\na = \"1\"\nb = \"1\"\r\nc = \"1\"\r\n",
        );
    }

    #[test]
    fn rejects_a_value_in_place_of_a_table() {
        let edited = edit(
            "dependencies = 1\n",
            &dependency(DependencyTable::Normal, "b"),
        );
        assert!(matches!(edited, Err(ManifestError::Shape("dependencies"))));
    }
}
