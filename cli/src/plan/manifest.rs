//! Edits of Cargo.toml that leave the user's formatting, comments and order alone.

use thiserror::Error;
use toml_edit::{Array, DocumentMut, Item, Key, Table, TomlError, Value};

/// A change to a Cargo.toml. What is there already stays as the user has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CargoEdit {
    /// Adds a member to the workspace, and to what plain `cargo` commands work on.
    Member(String),
    /// Adds a dependency.
    Dependency {
        /// The table.
        table: DependencyTable,
        /// The package.
        name: String,
        /// The value in TOML: `"1"` or `{ path = "api" }`.
        value: String,
    },
}

/// The kinds of dependencies.
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

/// Why a Cargo.toml cannot be edited.
#[derive(Debug, Error)]
pub(super) enum ManifestError {
    #[error("is not valid TOML: {0}")]
    Syntax(String),
    #[error("has `{0}` in a form that cannot be added to")]
    Shape(&'static str),
}

impl From<TomlError> for ManifestError {
    fn from(error: TomlError) -> Self {
        Self::Syntax(error.to_string().trim_end().to_owned())
    }
}

/// `text` with the edit.
pub(super) fn edit(text: &str, edit: &CargoEdit) -> Result<String, ManifestError> {
    let mut document: DocumentMut = text.parse()?;
    match edit {
        CargoEdit::Member(member) => add_member(&mut document, member)?,
        CargoEdit::Dependency { table, name, value } => {
            add_dependency(&mut document, *table, name, value)?;
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
    let last = document.len();
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
        place_after_dependencies(document, kind, last);
    }
    Ok(())
}

/// A new table goes behind `[dependencies]` rather than to the end of the file.
fn place_after_dependencies(document: &mut DocumentMut, kind: DependencyTable, _last: usize) {
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

/// `toml_edit` writes LF; a file that has CRLF keeps it.
fn with_line_endings_of(original: &str, text: String) -> String {
    if original.contains("\r\n") && !original.replace("\r\n", "").contains('\n') {
        text.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        text
    }
}
