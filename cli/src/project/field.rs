//! The record as a tree of YAML fields, and such a tree as text.
//!
//! One table says which field of the record has which name in the file; a new file and an edit both take it from
//! here. Strings are written by serde-saphyr, with the quotes that YAML 1.1 readers need.

use std::borrow::Cow;

use super::record::{Api, LAYOUT, Project, Resource, VERSION};

/// A value that kb-rs writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Field<'a> {
    Text(&'a str),
    Flag(bool),
    List(Vec<Field<'a>>),
    Map(Fields<'a>),
}

/// The fields of a mapping, in alphabetical order.
pub(crate) type Fields<'a> = Vec<(&'static str, Field<'a>)>;

impl<'a> Field<'a> {
    fn text(value: &'a (impl AsRef<str> + ?Sized)) -> Self {
        Self::Text(value.as_ref())
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Text(_) => false,
            Self::Flag(value) => !value,
            Self::List(items) => items.is_empty(),
            Self::Map(fields) => fields.is_empty(),
        }
    }

    /// What makes an item of a list the same item after a change.
    pub(crate) fn identity(&self) -> Vec<&'a str> {
        match self {
            Self::Text(text) => vec![text],
            Self::Map(fields) => ["group", "domain", "version", "kind", "name"]
                .into_iter()
                .map(|key| match get(fields, key) {
                    Some(Self::Text(text)) => text,
                    _ => "",
                })
                .collect(),
            Self::Flag(_) | Self::List(_) => Vec::new(),
        }
    }
}

pub(crate) fn get<'f, 'a>(
    fields: &'f [(&'static str, Field<'a>)],
    key: &str,
) -> Option<&'f Field<'a>> {
    fields
        .iter()
        .find(|(name, _)| *name == key)
        .map(|(_, field)| field)
}

/// All fields of a project, as they stand in a PROJECT.
pub(crate) fn of_project(project: &Project) -> Fields<'_> {
    let kb_source = sorted([("kbSource", project.kb_source.as_ref().map(Field::text))]);
    let plugins = sorted([(LAYOUT, Some(Field::Map(kb_source)))]);
    let resources = project.resources.iter().map(of_resource).collect();
    let layout = project.layout.iter().map(Field::text).collect();
    sorted([
        ("cliVersion", project.cli_version.as_ref().map(Field::text)),
        ("domain", project.domain.as_ref().map(Field::text)),
        ("layout", Some(Field::List(layout))),
        ("multigroup", Some(Field::Flag(project.multigroup))),
        ("namespaced", Some(Field::Flag(project.namespaced))),
        ("plugins", Some(Field::Map(plugins))),
        ("projectName", Some(Field::text(&project.name))),
        ("repo", project.repo.as_ref().map(Field::text)),
        ("resources", Some(Field::List(resources))),
        ("version", Some(Field::text(VERSION))),
    ])
}

/// One item of `resources`.
pub(crate) fn of_resource(resource: &Resource) -> Field<'_> {
    let controllers = resource.controllers.iter();
    let controllers = controllers.map(|name| Field::Map(vec![("name", Field::text(name))]));
    Field::Map(sorted([
        ("api", resource.api.as_ref().map(of_api)),
        ("controller", Some(Field::Flag(resource.controller))),
        ("controllers", Some(Field::List(controllers.collect()))),
        ("core", Some(Field::Flag(resource.core))),
        ("domain", resource.domain.as_ref().map(Field::text)),
        ("external", Some(Field::Flag(resource.external))),
        ("group", resource.group.as_ref().map(Field::text)),
        ("kind", Some(Field::text(&resource.kind))),
        ("module", resource.module.as_ref().map(Field::text)),
        ("path", resource.path.as_ref().map(Field::text)),
        ("plural", resource.plural.as_ref().map(Field::text)),
        ("version", Some(Field::text(&resource.version))),
    ]))
}

fn of_api(api: &Api) -> Field<'_> {
    Field::Map(sorted([
        ("crdVersion", Some(Field::text(&api.crd_version))),
        ("namespaced", Some(Field::Flag(api.namespaced))),
    ]))
}

fn sorted<'a, const N: usize>(fields: [(&'static str, Option<Field<'a>>); N]) -> Fields<'a> {
    let present = fields
        .into_iter()
        .filter_map(|(key, field)| Some((key, field?)));
    let mut fields: Fields<'_> = present.filter(|(_, field)| !field.is_empty()).collect();
    fields.sort_by_key(|(key, _)| *key);
    fields
}

/// Fields as lines of block YAML: `indent` blanks before each key, and lists `shift` blanks further in than their key.
pub(crate) fn lines(fields: &[(&'static str, Field<'_>)], indent: usize, shift: usize) -> String {
    let mut text = String::new();
    write_lines(&mut text, fields, indent, shift);
    text
}

fn write_lines(
    text: &mut String,
    fields: &[(&'static str, Field<'_>)],
    indent: usize,
    shift: usize,
) {
    for (index, (key, field)) in fields.iter().enumerate() {
        // The first key of an item stands behind its dash.
        if index > 0 || !text.ends_with("- ") {
            pad(text, indent);
        }
        text.push_str(key);
        text.push(':');
        match field {
            Field::Map(fields) => {
                text.push('\n');
                write_lines(text, fields, indent + 2, shift);
            }
            Field::List(items) => {
                text.push('\n');
                for field in items {
                    write_item(text, field, indent + shift, shift);
                }
            }
            Field::Text(_) | Field::Flag(_) => {
                text.push(' ');
                text.push_str(&scalar(field));
                text.push('\n');
            }
        }
    }
}

/// One item of a list, with its dash at `indent`.
pub(crate) fn item(field: &Field<'_>, indent: usize, shift: usize) -> String {
    let mut text = String::new();
    write_item(&mut text, field, indent, shift);
    text
}

fn write_item(text: &mut String, field: &Field<'_>, indent: usize, shift: usize) {
    pad(text, indent);
    text.push_str("- ");
    if let Field::Map(fields) = field {
        write_lines(text, fields, indent + 2, shift);
    } else {
        text.push_str(&scalar(field));
        text.push('\n');
    }
}

fn pad(text: &mut String, indent: usize) {
    text.extend(std::iter::repeat_n(' ', indent));
}

/// A value on one line.
pub(crate) fn scalar<'a>(field: &Field<'a>) -> Cow<'a, str> {
    match field {
        Field::Flag(true) => "true".into(),
        Field::Flag(false) => "false".into(),
        Field::Text(text) => quoted(text),
        Field::List(_) => "[]".into(),
        Field::Map(_) => "{}".into(),
    }
}

/// The text, in quotes where YAML asks for them. The writer decides that, and takes its time: most names need not ask.
fn quoted(text: &str) -> Cow<'_, str> {
    if is_plain_name(text) {
        text.into()
    } else {
        written(text).into()
    }
}

/// The text as the YAML writer has it.
fn written(text: &str) -> String {
    let options = serde_saphyr::ser_options! { yaml_12: false, prefer_block_scalars: false };
    let yaml = serde_saphyr::to_string_with_options(&text, options);
    let yaml = yaml.map(|yaml| yaml.trim_end_matches('\n').to_owned());
    yaml.unwrap_or_else(|_| serde_json::Value::from(text).to_string())
}

/// What YAML readers take for a boolean, null or a number, in any case.
const WORDS: [&str; 11] = [
    "false", "inf", "n", "nan", "no", "null", "off", "on", "true", "y", "yes",
];

/// Whether the text is a name or a Rust path that certainly needs no quotes.
fn is_plain_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && !text.ends_with(':')
        && text
            .bytes()
            .all(|any| any.is_ascii_alphanumeric() || matches!(any, b'_' | b'.' | b':'))
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, yaml: &str) {
        assert_eq!(scalar(&Field::text(text)), yaml);
    }

    #[test]
    fn texts_that_yaml_would_misread_are_quoted() {
        check("v1", "v1");
        check("go.kubebuilder.io/v4", "go.kubebuilder.io/v4");
        check("3", "\"3\"");
        check("on", "\"on\"");
        check("", "\"\"");
        check("a: b", "\"a: b\"");
        check("a\nb", "\"a\\nb\"");
        check("- a", "\"- a\"");
    }

    #[test]
    fn what_is_taken_for_a_plain_name_is_one_for_the_writer() {
        for word in WORDS.into_iter().chain(["v1", "batch", "e1.e1"]) {
            let upper = word.to_uppercase();
            for text in [
                word.to_owned(),
                upper,
                format!("{word}:"),
                format!("{word}::{word}"),
            ] {
                assert_eq!(is_plain_name(&text), written(&text) == text, "{text}");
            }
        }
    }

    #[test]
    fn lists_stand_under_their_key_or_further_in() {
        let fields = vec![(
            "list",
            Field::List(vec![Field::text("a"), Field::text("b")]),
        )];
        assert_eq!(lines(&fields, 0, 0), "list:\n- a\n- b\n");
        assert_eq!(lines(&fields, 2, 2), "  list:\n    - a\n    - b\n");
    }
}
