//! Random types, fields and markers that fit each other.

use std::fmt::Write as _;

use proptest::{prelude::RngExt as _, test_runner::TestRng};

/// A type that was made.
#[derive(Clone, Debug)]
pub(super) struct Defined {
    /// How it is named.
    pub(super) name: String,
    /// Whether it has a parameter.
    pub(super) generic: bool,
    /// Whether it has properties that can be flattened.
    pub(super) is_struct: bool,
    /// Its source.
    pub(super) source: String,
}

/// Where fields are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// In a spec: columns are possible.
    Spec,
    /// In another struct.
    Object,
    /// In a variant, where fields have no visibility.
    Variant,
}

/// What is known of a type expression.
enum Form {
    Integer,
    Text,
    Bool,
    List(Box<Form>),
    Map(Box<Form>),
    Any,
    Other,
}

/// Makes types.
pub(super) struct Maker<'a> {
    /// The dice.
    pub(super) rng: &'a mut TestRng,
    /// Numbers that make names unique.
    count: usize,
}

const WORDS: [&str; 12] = [
    "on",
    "y",
    "~",
    "0x1",
    "1_000",
    "2024-01-15",
    "a: b",
    "# no comment",
    "\\\"quoted\\\"",
    "ünï",
    "trailing ",
    "- dash",
];

impl<'a> Maker<'a> {
    /// A maker.
    pub(super) fn new(rng: &'a mut TestRng) -> Self {
        Self { rng, count: 0 }
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_ratio(percent, 100)
    }

    fn one<'b>(&mut self, choices: &[&'b str]) -> &'b str {
        choices[self.rng.random_range(0..choices.len())]
    }

    fn docs(&mut self, indent: &str) -> String {
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

    /// The attribute of a kind.
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

    /// A type that may name those that are known.
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
        // What serde flattens cannot deny unknown fields.
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

    /// The fields of a struct or variant.
    pub(super) fn members(&mut self, known: &[Defined], member: Member) -> String {
        let mut members = String::new();
        let mut flattened = false;
        for _ in 0..self.rng.random_range(1..6) {
            let number = self.next();
            members.push_str(&self.docs("    "));
            let visibility = if member == Member::Variant {
                ""
            } else {
                "pub "
            };
            let structs: Vec<&Defined> = known.iter().filter(|known| known.is_struct).collect();
            if !structs.is_empty() && !flattened && member == Member::Spec && self.chance(10) {
                flattened = true;
                let name = &structs[self.rng.random_range(0..structs.len())].name;
                let _ = writeln!(
                    members,
                    "    #[serde(flatten)]\n    {visibility}flat_{number}: {name},"
                );
                continue;
            }
            let (ty, form) = self.expression(known, 2);
            let optional = self.chance(35);
            let marks = self.marks(&form, member, optional);
            if !marks.is_empty() {
                let _ = writeln!(members, "    #[kb({})]", marks.join(", "));
            }
            if self.chance(8) {
                let _ = writeln!(members, "    #[serde(rename = \"other-{number}\")]");
            }
            let ty = if optional {
                format!("Option<{ty}>")
            } else {
                ty
            };
            let _ = writeln!(members, "    {visibility}some_field_{number}: {ty},");
        }
        members
    }

    fn marks(&mut self, form: &Form, member: Member, optional: bool) -> Vec<String> {
        let mut marks = self.value_marks(form);
        if member == Member::Spec
            && matches!(form, Form::Integer | Form::Text | Form::Bool)
            && self.chance(20)
        {
            marks.push("column".to_owned());
        }
        if optional && self.chance(15) {
            marks.push("nullable".to_owned());
        }
        if member == Member::Spec && !matches!(form, Form::Any) && self.chance(8) {
            marks.push("immutable".to_owned());
        }
        if self.chance(20) {
            let default = match form {
                Form::Integer => Some("3".to_owned()),
                Form::Bool => Some("true".to_owned()),
                Form::Text => Some(format!("\"{}\"", self.one(&WORDS))),
                _ => None,
            };
            marks.extend(default.map(|value| format!("default = {value}")));
        }
        if !optional && matches!(form, Form::List(_) | Form::Map(_)) && self.chance(20) {
            marks.push("optional".to_owned());
        }
        marks
    }

    fn value_marks(&mut self, form: &Form) -> Vec<String> {
        let mut marks = Vec::new();
        let mut may = |maker: &mut Self, mark: &str| {
            if maker.chance(15) {
                marks.push(mark.to_owned());
            }
        };
        match form {
            Form::Integer => {
                may(self, "minimum = 1");
                may(self, "maximum = 100");
                may(self, "multiple_of = 1");
                may(self, "example = 7");
            }
            Form::Text => {
                may(self, "min_length = 1");
                may(self, "max_length = 200");
                may(self, "title = \"y\"");
                may(self, "example = \"1_000\"");
            }
            Form::List(element) => {
                may(self, "min_items = 1");
                may(self, "list_type = \"atomic\"");
                let inner = self.value_marks(element);
                if !inner.is_empty() && !matches!(**element, Form::Other) {
                    marks.push(format!("items({})", inner.join(", ")));
                }
            }
            Form::Map(value) => {
                may(self, "max_properties = 5");
                may(self, "map_type = \"atomic\"");
                let inner = self.value_marks(value);
                if !inner.is_empty() && !matches!(**value, Form::Other) {
                    marks.push(format!("values({})", inner.join(", ")));
                }
            }
            Form::Bool | Form::Any => {}
            Form::Other => may(self, "cel(\"true\", reason = \"FieldValueInvalid\")"),
        }
        marks
    }

    /// A type expression.
    fn expression(&mut self, known: &[Defined], depth: usize) -> (String, Form) {
        let deeper = depth > 0;
        match self.rng.random_range(0..16) {
            0..=2 => (
                self.one(&["i32", "i64", "u8", "u16", "u32", "u64", "i8"])
                    .to_owned(),
                Form::Integer,
            ),
            3..=4 => ("String".to_owned(), Form::Text),
            5 => ("bool".to_owned(), Form::Bool),
            6 => (
                self.one(&[
                    "Quantity",
                    "IntOrString",
                    "core::ResourceRequirements",
                    "meta::v1::LabelSelector",
                    "kb::k8s_openapi::api::core::v1::LocalObjectReference",
                    "core::EnvVar",
                ])
                .to_owned(),
                Form::Other,
            ),
            7 | 8 if deeper => {
                let (element, form) = self.expression(known, depth - 1);
                (format!("Vec<{element}>"), Form::List(Box::new(form)))
            }
            9 if deeper => {
                let (value, form) = self.expression(known, depth - 1);
                let map = self.one(&["BTreeMap", "HashMap", "std::collections::BTreeMap"]);
                (format!("{map}<String, {value}>"), Form::Map(Box::new(form)))
            }
            10 => ("BTreeSet<String>".to_owned(), Form::Other),
            12 => ("kb::serde_json::Value".to_owned(), Form::Any),
            11 => ("[i32; 2]".to_owned(), Form::List(Box::new(Form::Integer))),
            _ if !known.is_empty() => {
                let chosen = known[self.rng.random_range(0..known.len())].clone();
                if chosen.generic {
                    let (argument, _) = if deeper {
                        self.expression(known, depth - 1)
                    } else {
                        ("i32".to_owned(), Form::Integer)
                    };
                    return (format!("{}<{argument}>", chosen.name), Form::Other);
                }
                (chosen.name, Form::Other)
            }
            _ => ("i32".to_owned(), Form::Integer),
        }
    }
}
