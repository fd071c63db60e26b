//! Random types: structs, enums, newtypes and generic structs.

use std::fmt::Write as _;

use proptest::{prelude::RngExt as _, test_runner::TestRng};

use super::fields::Member;

/// A type definition.
#[derive(Clone, Debug)]
pub(super) struct Defined {
    /// Path by which it is referred to.
    pub(super) name: String,
    /// Whether it has a type parameter.
    pub(super) generic: bool,
    /// Whether its fields can be flattened.
    pub(super) is_struct: bool,
    /// Its source.
    pub(super) source: String,
}

/// Generates types.
pub(super) struct TypeGenerator<'a> {
    /// Source of randomness.
    pub(super) rng: &'a mut TestRng,
    /// Last number of a unique name.
    count: usize,
}

impl<'a> TypeGenerator<'a> {
    /// Creates a generator.
    pub(super) fn new(rng: &'a mut TestRng) -> Self {
        Self { rng, count: 0 }
    }

    pub(super) fn next(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_ratio(percent, 100)
    }

    pub(super) fn one<'b>(&mut self, choices: &[&'b str]) -> &'b str {
        choices[self.rng.random_range(0..choices.len())]
    }

    pub(super) fn docs(&mut self, indent: &str) -> String {
        let mut docs = String::new();
        for _ in 0..self.rng.random_range(0..3) {
            let line = self.one(&[
                "One line.",
                "TODO: later.",
                "Two: words.",
                "",
                "A `code` word, \"quoted\".",
                "  indented",
            ]);
            let _ = writeln!(docs, "{indent}/// {line}");
        }
        docs
    }

    /// Returns the attribute of a kind.
    pub(super) fn resource(&mut self, kind: &str) -> String {
        let mut arguments =
            format!("group = \"random.example.com\", version = \"v1\", kind = \"{kind}\"");
        for argument in [
            "scope = Cluster",
            "short_name = \"rnd\"",
            "categories = [\"all\", \"random\"]",
            "doc = \"A random kind.\"",
            "status_subresource = true",
            "column(name = \"Age\", type = \"date\", json_path = \".metadata.creationTimestamp\")",
            "deprecated",
            "labels(\"a\" = \"on\")",
            "cel(\"true\")",
        ] {
            if self.chance(25) {
                let _ = write!(arguments, ", {argument}");
            }
        }
        format!("#[kb::resource({arguments})]")
    }

    /// Returns a type that may refer to known types.
    pub(super) fn define(&mut self, known: &[Defined]) -> Defined {
        let number = self.next();
        let docs = self.docs("");
        match self.rng.random_range(0..10) {
            0 | 1 => self.choice(number, &docs),
            2 => self.newtype(number, &docs),
            3 => self.union(number, &docs, known),
            4 => Self::generic(number, &docs),
            _ => self.object(number, &docs, known),
        }
    }

    fn object(&mut self, number: usize, docs: &str, known: &[Defined]) -> Defined {
        let name = format!("Object{number}");
        let renamed = self.one(&[
            "",
            "",
            "#[serde(rename_all = \"kebab-case\")]\n",
            "#[serde(rename_all = \"PascalCase\")]\n",
            "#[serde(deny_unknown_fields)]\n",
        ]);
        let marks = self.one(&[
            "",
            "",
            "#[kb(struct_type = \"atomic\")]\n",
            "#[kb(cel(\"true\", message = \"on\"))]\n",
            "#[kb(max_properties = 40)]\n",
        ]);
        let members = self.members(known, Member::Object);
        // serde cannot flatten and deny unknown fields.
        let renamed = if members.contains("flatten") {
            ""
        } else {
            renamed
        };
        Defined {
            source: format!(
                "{docs}#[kb::object]\n{renamed}{marks}pub struct {name} {{\n{members}}}\n\n"
            ),
            // An atomic object in the spec would leave immutable fields without an old value.
            is_struct: !renamed.contains("deny") && !marks.contains("atomic"),
            name,
            generic: false,
        }
    }

    fn generic(number: usize, docs: &str) -> Defined {
        let name = format!("Generic{number}");
        Defined {
            source: format!(
                "{docs}#[kb::object]\npub struct {name}<T> {{\n    /// One.\n    pub one{number}: T,\n    pub more{number}: Option<Vec<T>>,\n    pub boxed{number}: Option<Box<T>>,\n    pub by_name{number}: BTreeMap<String, T>,\n}}\n\n"
            ),
            name,
            generic: true,
            is_struct: false,
        }
    }

    fn choice(&mut self, number: usize, docs: &str) -> Defined {
        let name = format!("Choice{number}");
        let renamed = self.one(&[
            "",
            "#[serde(rename_all = \"snake_case\")]\n",
            "#[kb(cel(\"self != 'x'\"))]\n",
        ]);
        let mut variants = String::new();
        for variant in 0..self.rng.random_range(1..5) {
            variants.push_str(&self.docs("    "));
            if self.chance(20) {
                let _ = writeln!(variants, "    #[serde(rename = \"renamed-{variant}\")]");
            }
            let _ = writeln!(variants, "    SomeValue{variant},");
        }
        Defined {
            source: format!("{docs}#[kb::object]\n{renamed}pub enum {name} {{\n{variants}}}\n\n"),
            name,
            generic: false,
            is_struct: false,
        }
    }

    fn newtype(&mut self, number: usize, docs: &str) -> Defined {
        let name = format!("Newtype{number}");
        let (marks, inner) = [
            ("#[kb(minimum = 1, maximum = 9)]\n", "i32"),
            ("#[kb(min_length = 1, pattern = \"^[a-z]+$\")]\n", "String"),
            ("#[kb(title = \"A title\", cel(\"true\"))]\n", "String"),
            (
                "#[kb(list_type = \"set\", items(max_length = 3))]\n",
                "Vec<String>",
            ),
            ("", "u16"),
        ][self.rng.random_range(0..5)];
        Defined {
            source: format!("{docs}#[kb::object]\n{marks}pub struct {name}(pub {inner});\n\n"),
            name,
            generic: false,
            is_struct: false,
        }
    }

    fn union(&mut self, number: usize, docs: &str, known: &[Defined]) -> Defined {
        let name = format!("Union{number}");
        let mut variants = String::new();
        for variant in 0..self.rng.random_range(1..4) {
            variants.push_str(&self.docs("    "));
            if self.chance(50) {
                let (ty, _) = self.expression(known, 1);
                let _ = writeln!(variants, "    ByValue{variant}({ty}),");
            } else {
                let members = self.members(known, Member::Variant);
                let _ = writeln!(variants, "    WithFields{variant} {{\n{members}    }},");
            }
        }
        Defined {
            source: format!("{docs}#[kb::object]\npub enum {name} {{\n{variants}}}\n\n"),
            name,
            generic: false,
            is_struct: false,
        }
    }
}
