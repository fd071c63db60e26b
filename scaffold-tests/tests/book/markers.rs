//! Reference of the markers, generated from the marker tables and the tested examples in `scaffold-tests/markers`.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use kb_model::fit::{Requirement, requirement};

use crate::page::{assert_section, cell, repository};

/// Examples in `scaffold-tests/markers` by section. An empty heading means the names of the markers that the example shows.
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
    (
        "Validation rules",
        &[("cel", ""), ("one_of", ""), ("immutable", "")],
    ),
    (
        "Unstructured values",
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
        "Resource",
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

/// Examples that the page omits, with the reason.
const OMITTED: &[(&str, &str)] = &[(
    "core_types",
    "the schema of a PodTemplateSpec has thousands of lines",
)];

/// Markers without an example.
const WITHOUT_EXAMPLE: &[(&str, &str)] = &[
    ("doc", "description; defaults to the doc comment"),
    ("short_name", "one `short_names` entry"),
    ("category", "one `categories` entry"),
    (
        "json_schema",
        "schema from a `JsonSchema` implementation; requires rustc",
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
        let path = directory().join(format!("{name}.rs"));
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

    fn code(&self) -> &str {
        let (_, code) = self.source.split_once("\n\n").unwrap();
        code.trim_end()
    }

    fn yaml(&self) -> String {
        fs::read_to_string(directory().join(format!("{}.yaml", self.name))).unwrap()
    }

    /// Returns the anchor of the heading, which is the same in mdBook and on GitHub.
    fn anchor(&self) -> String {
        let kept = self.heading.to_lowercase().replace(' ', "-");
        kept.replace(',', "")
    }

    /// Returns whether the example uses the marker.
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

fn directory() -> std::path::PathBuf {
    repository().join("scaffold-tests/markers")
}

#[test]
fn marker_reference_is_in_sync() {
    let sections: Vec<(&str, Vec<Module>)> = SECTIONS
        .iter()
        .map(|(heading, modules)| {
            let modules = modules
                .iter()
                .map(|(name, title)| Module::read(name, title));
            (*heading, modules.collect())
        })
        .collect();
    assert_all_listed(&sections);
    let modules = || sections.iter().flat_map(|(_, modules)| modules);

    let mut text = "## Field and type markers\n\nArguments of `#[kb(...)]`:\n\n| marker | syntax | requires | |\n|---|---|---|---|\n".to_owned();
    for (name, usage, constraint) in markers() {
        writeln!(
            text,
            "| `{name}` | `{}` | {constraint} | {} |",
            cell(&usage),
            example_link(modules(), &name)
        )
        .unwrap();
    }
    text.push_str("\n## Resource markers\n\nArguments of `#[kb::resource(...)]`:\n\n| argument | syntax | |\n|---|---|---|\n");
    for (name, usage) in arguments() {
        let own = EXPLAINED.iter().find(|(argument, _)| *argument == name);
        let own = own.map(|(_, meaning)| (*meaning).to_owned());
        writeln!(
            text,
            "| `{name}` | `{}` | {} |",
            cell(&usage),
            own.unwrap_or_else(|| example_link(modules(), &name))
        )
        .unwrap();
    }
    for (heading, modules) in &sections {
        write!(text, "\n## {heading}\n").unwrap();
        for module in modules {
            write!(
                text,
                "\n### {}\n\n{}\n\n```rust,ignore\n{}\n```\n\n```yaml\n{}\n```\n",
                module.heading,
                module.about,
                module.code(),
                module.yaml().trim_end(),
            )
            .unwrap();
        }
    }
    assert_section("reference/markers.md", "markers", &text);
}

fn assert_all_listed(sections: &[(&str, Vec<Module>)]) {
    let entries = fs::read_dir(directory()).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let sources = paths.filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let existing: BTreeSet<String> = sources.map(|path| stem(&path)).collect();
    let listed = sections.iter().flat_map(|(_, modules)| modules);
    let listed = listed.map(|module| module.name);
    let left_out = OMITTED.iter().map(|(name, _)| *name);
    let listed: BTreeSet<String> = listed.chain(left_out).map(ToOwned::to_owned).collect();
    assert_eq!(
        existing, listed,
        "files of scaffold-tests/markers, and SECTIONS"
    );
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Arguments of `#[kb::resource]` that no example can explain.
const EXPLAINED: &[(&str, &str)] = &[
    ("default", "`false` if you implement `Default` for the spec"),
    ("group", "required"),
    ("kind", "required"),
    ("version", "required"),
];

/// Links to the first example of the marker.
fn example_link<'m>(mut modules: impl Iterator<Item = &'m Module> + Clone, marker: &str) -> String {
    let own = modules.clone().find(|module| {
        let names = module.heading.split(", ");
        names.into_iter().any(|name| name == marker)
    });
    let module = own.or_else(|| modules.find(|module| module.shows(marker)));
    if let Some(module) = module {
        return format!("[example](#{})", module.anchor());
    }
    let reason = WITHOUT_EXAMPLE.iter().find(|(name, _)| *name == marker);
    let (_, reason) = reason.unwrap_or_else(|| panic!("`{marker}` has no example"));
    (*reason).to_owned()
}

/// Reads name, syntax and type constraint of each marker.
fn markers() -> Vec<(String, String, String)> {
    let source = fs::read_to_string(repository().join("markers/src/marks/table.rs")).unwrap();
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
        let constraint = match requirement(&name) {
            Requirement::None => "",
            requirement => requirement.phrase(),
        };
        (name, usage, constraint.to_owned())
    })
    .collect()
}

/// Reads name and syntax of each argument of `#[kb::resource]`.
fn arguments() -> Vec<(String, String)> {
    let source =
        fs::read_to_string(repository().join("markers/src/resource/arguments.rs")).unwrap();
    let (_, table) = source
        .split_once("const KNOWN: &[KnownArgument] = &[")
        .unwrap();
    let (table, _) = table.split_once("\n];").unwrap();
    let texts = literals(table);
    let pairs = texts.chunks_exact(2);
    pairs
        .map(|pair| (pair[0].clone(), pair[1].clone()))
        .collect()
}

/// Returns the string literals of a text.
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
fn kubebuilder_map_lists_every_marker() {
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
