//! The reference of the markers: every marker that the reader knows, and each tested module with the YAML it gives.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use crate::page::{cell, is_made, repository};

/// The modules of `scaffold-tests/markers`, in the order and under the headings of the page. A module about single markers is called after them.
const SECTIONS: &[(&str, &[(&str, &str)])] = &[
    (
        "Numbers",
        &[
            ("minimum_maximum", ""),
            ("exclusive", ""),
            ("multiple_of", ""),
        ],
    ),
    (
        "Strings",
        &[("length", ""), ("pattern", ""), ("format", "")],
    ),
    (
        "Lists and maps",
        &[
            ("items_count", ""),
            ("properties_count", ""),
            ("list_type", ""),
            ("map_type", ""),
            ("items", ""),
            ("values", ""),
        ],
    ),
    (
        "Values",
        &[
            ("enum_values", ""),
            ("default_value", ""),
            ("nullable", ""),
            ("required_optional", ""),
            ("title", ""),
            ("example", ""),
            ("external_docs", ""),
        ],
    ),
    ("Rules", &[("cel", ""), ("one_of", ""), ("immutable", "")]),
    (
        "What the schema does not know",
        &[
            ("preserve_unknown_fields", ""),
            ("embedded_resource", ""),
            ("int_or_string", ""),
            ("schemaless", ""),
            ("schema_type", ""),
        ],
    ),
    (
        "Columns, scale and selectors",
        &[
            ("column", ""),
            ("scale", ""),
            ("scale_without_status", "scale by paths"),
            ("selectable", ""),
        ],
    ),
    (
        "The kind",
        &[
            ("names", ""),
            ("cluster", ""),
            ("version_flags", ""),
            ("metadata", "annotations, labels"),
            ("status_subresource", ""),
            ("optional_spec", ""),
            ("no_spec", ""),
            ("lossy", ""),
        ],
    ),
    (
        "Types",
        &[
            ("serde_names", "Names"),
            ("union", "Enums with data"),
            ("generics", "Generics and aliases"),
            ("descriptions", "Descriptions"),
        ],
    ),
];

/// Modules that the page does not show, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[(
    "core_types",
    "the YAML of a PodTemplateSpec has thousands of lines",
)];

/// Markers that no module can show, with the reason.
const NOT_SHOWN: &[(&str, &str)] = &[
    ("doc", "the description; without it, the doc comment"),
    ("short_name", "one of `short_names`"),
    ("category", "one of `categories`"),
    (
        "json_schema",
        "only rustc knows the schema, and the modules are read without it",
    ),
];

struct Module {
    name: &'static str,
    heading: String,
    about: String,
    source: String,
}

impl Module {
    fn read(name: &'static str, heading: &str) -> Self {
        let path = folder().join(format!("{name}.rs"));
        let source = fs::read_to_string(path).unwrap();
        let about = source.lines().next().unwrap();
        let about = about.strip_prefix("//! ").unwrap().to_owned();
        let heading = match heading {
            "" => {
                let (names, _) = about.split_once(':').unwrap();
                let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
                names.join(", ")
            }
            heading => heading.to_owned(),
        };
        Self {
            name,
            heading,
            about,
            source,
        }
    }

    /// The anchor that mdBook gives its heading.
    fn anchor(&self) -> String {
        let kept = self.heading.to_lowercase().replace(' ', "-");
        kept.replace(',', "")
    }

    /// Whether the marker stands in it: as an argument, and not only in a comment.
    fn shows(&self, marker: &str) -> bool {
        let code = self
            .source
            .lines()
            .filter(|line| !line.trim().starts_with("//"));
        let words = |line: &str| {
            line.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word == marker)
        };
        let is_attribute =
            |line: &&str| line.contains('(') || line.contains(" = ") || line.ends_with(',');
        code.filter(is_attribute).any(words)
    }
}

fn folder() -> std::path::PathBuf {
    repository().join("scaffold-tests/markers")
}

#[test]
fn the_reference_has_every_marker_with_its_yaml() {
    let sections: Vec<(&str, Vec<Module>)> = SECTIONS
        .iter()
        .map(|(heading, modules)| {
            let modules = modules
                .iter()
                .map(|(name, title)| Module::read(name, title));
            (*heading, modules.collect())
        })
        .collect();
    every_module_is_there(&sections);
    let modules = || sections.iter().flat_map(|(_, modules)| modules);

    let mut text = "## On fields and types\n\nArguments of `#[kb(...)]`:\n\n| marker | as | needs | |\n|---|---|---|---|\n".to_owned();
    for (name, usage, needs) in markers() {
        writeln!(
            text,
            "| `{name}` | `{}` | {needs} | {} |",
            cell(&usage),
            shown(modules(), &name)
        )
        .unwrap();
    }
    text.push_str("\n## On kinds\n\nArguments of `#[kb::resource(...)]`:\n\n| argument | as | |\n|---|---|---|\n");
    for (name, usage) in arguments() {
        let own = KINDS.iter().find(|(argument, _)| *argument == name);
        let own = own.map(|(_, meaning)| (*meaning).to_owned());
        writeln!(
            text,
            "| `{name}` | `{}` | {} |",
            cell(&usage),
            own.unwrap_or_else(|| shown(modules(), &name))
        )
        .unwrap();
    }
    for (heading, modules) in &sections {
        write!(text, "\n## {heading}\n").unwrap();
        for module in modules {
            write!(
                text,
                "\n### {}\n\n{}\n\n```rust,ignore\n{{{{#include ../../../../scaffold-tests/markers/{name}.rs:3:}}}}\n```\n\n```yaml\n{{{{#include ../../../../scaffold-tests/markers/{name}.yaml}}}}\n```\n",
                module.heading, module.about, name = module.name,
            )
            .unwrap();
        }
    }
    is_made("markers.md", &text);
}

fn every_module_is_there(sections: &[(&str, Vec<Module>)]) {
    let entries = fs::read_dir(folder()).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let sources = paths.filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let there: BTreeSet<String> = sources.map(|path| stem(&path)).collect();
    let listed = sections.iter().flat_map(|(_, modules)| modules);
    let listed = listed.map(|module| module.name);
    let left_out = LEFT_OUT.iter().map(|(name, _)| *name);
    let listed: BTreeSet<String> = listed.chain(left_out).map(ToOwned::to_owned).collect();
    assert_eq!(
        there, listed,
        "scaffold-tests/markers, and the modules listed in markers.rs"
    );
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Arguments of kinds that are called like a marker or stand everywhere, with what they are.
const KINDS: &[(&str, &str)] = &[
    (
        "default",
        "with `false`, `Default` of the spec is written by hand",
    ),
    ("group", "needed"),
    ("kind", "needed"),
    ("version", "needed"),
];

/// A link to the first module that shows the marker.
fn shown<'m>(mut modules: impl Iterator<Item = &'m Module> + Clone, marker: &str) -> String {
    let own = modules.clone().find(|module| {
        let names = module.heading.split(", ");
        names.into_iter().any(|name| name == marker)
    });
    let module = own.or_else(|| modules.find(|module| module.shows(marker)));
    if let Some(module) = module {
        return format!("[example](#{})", module.anchor());
    }
    let reason = NOT_SHOWN.iter().find(|(name, _)| *name == marker);
    let (_, reason) = reason.unwrap_or_else(|| panic!("no module shows `{marker}`"));
    (*reason).to_owned()
}

/// The rows of the reader's table: name, usage, and what the type must be.
fn markers() -> Vec<(String, String, String)> {
    let source = fs::read_to_string(repository().join("markers/src/marks/markers.rs")).unwrap();
    let (_, table) = source.split_once("const MARKERS: &[Marker] = &[").unwrap();
    let rows = table.split_once("\n];").unwrap().0.trim().lines();
    rows.map(|row| {
        let mut texts = literals(row);
        let name = texts.remove(0);
        let usage = if row.contains("flag(") {
            name.clone()
        } else {
            texts.remove(0)
        };
        let needs = match row.split_once("Needs::") {
            Some((_, rest)) => rest.split([',', ')']).next().unwrap(),
            None => "Number",
        };
        (name, usage, needs_of(needs).to_owned())
    })
    .collect()
}

fn needs_of(needs: &str) -> &'static str {
    match needs {
        "Any" => "",
        "Number" => "a number",
        "Integer" => "a whole number",
        "Text" => "a string",
        "List" => "a list",
        "Map" => "a map",
        "Object" => "a map or an object",
        "Open" => "no single value",
        "Scalar" => "one value",
        "Selectable" => "a string, a whole number or a bool",
        other => panic!("say what `Needs::{other}` is"),
    }
}

/// The arguments of a kind: name and usage.
fn arguments() -> Vec<(String, String)> {
    let source =
        fs::read_to_string(repository().join("markers/src/resource/arguments.rs")).unwrap();
    let (_, table) = source.split_once("const KNOWN: &[Known] = &[").unwrap();
    let (table, _) = table.split_once("\n];").unwrap();
    let texts = literals(table);
    let pairs = texts.chunks_exact(2);
    pairs
        .map(|pair| (pair[0].clone(), pair[1].clone()))
        .collect()
}

/// The string literals of a text.
fn literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        let is_raw = rest[..start].ends_with("r#");
        let end = if is_raw { "\"#" } else { "\"" };
        let inner = &rest[start + 1..];
        let length = inner.find(end).unwrap();
        found.push(inner[..length].to_owned());
        rest = &inner[length + end.len()..];
    }
    found
}

#[test]
fn the_map_for_kubebuilders_users_has_every_marker() {
    let map = crate::page::read("migration/kubebuilder-map.md");
    let words: BTreeSet<&str> = map
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    let names = markers().into_iter().map(|(name, _, _)| name);
    let missing: Vec<String> = names
        .filter(|name| !words.contains(name.as_str()))
        .collect();
    assert_eq!(
        missing,
        Vec::<String>::new(),
        "migration/kubebuilder-map.md"
    );
}
