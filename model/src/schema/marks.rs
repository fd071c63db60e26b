//! Applies marks to the schema of a value.
//!
//! In controller-gen's order: JSON type, keywords, rules, then marks of elements and map values. A mark that does not fit the type is reported and
//! not applied.

use serde_json::{Map, Value, json};

use super::builder::{Builder, UNKEYED};
use super::cel::is_visible;
use super::merge::Overlay;
use super::node::{
    EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, Natural, Node, PRESERVE, form_of,
    type_of,
};
use super::rules;
use super::subject::Subject;
use crate::api::{ExternalDocs, Field, ListType, MapType, Marks, SchemaType, Type};
use crate::fit::{Requirement, requirement};

impl Builder<'_> {
    /// Applies the marks of a field to the schema of its type.
    pub(super) fn apply_to_field(&mut self, node: &mut Node, field: &Field<Type>, name: &str) {
        if !field.marks.is_empty() {
            let subject = Subject::named(name);
            let own = self.apply(node, &field.marks, &subject);
            rules::prepend(&mut node.keywords, own);
        }
        if field.immutable && !field.flatten {
            let subject = Subject::named(name);
            rules::prepend(&mut node.keywords, vec![rules::immutable()]);
            if !node.broken && !is_visible(&node.keywords) {
                self.not_visible("immutable", &subject);
            }
            if let Some(hidden) = self.uncorrelated {
                self.no_old_value("immutable", hidden, &subject);
            }
        }
    }

    /// Applies the marks of a type. `own`: to its own content, not to another type inside of it.
    pub(super) fn apply_to_type(&mut self, node: &mut Node, marks: &Marks, name: &str, own: bool) {
        if marks.is_empty() {
            return;
        }
        let own_rules = self.apply(node, marks, &Subject::named(name));
        if own {
            rules::append(&mut node.keywords, own_rules);
        } else {
            rules::prepend(&mut node.keywords, own_rules);
        }
    }

    /// Applies all marks except rules, which it returns.
    fn apply(&mut self, node: &mut Node, marks: &Marks, subject: &Subject) -> Vec<Value> {
        if node.broken {
            return Vec::new();
        }
        apply_schema_type(node, marks);
        let mut overlay = Overlay::default();
        self.apply_bounds(node, marks, subject, &mut overlay);
        self.apply_sizes(node, marks, subject, &mut overlay);
        self.apply_strings(node, marks, subject, &mut overlay);
        self.apply_extensions(node, marks, subject);
        overlay.finish(node);
        apply_annotations(node, marks);
        self.apply_inner(node, marks.items.as_deref(), "items", subject);
        self.apply_inner(node, marks.values.as_deref(), "values", subject);
        self.check_list_type(node, marks, subject);
        self.rules_from_marks(marks, &node.keywords, subject)
    }

    /// Returns whether a marker fits its type; otherwise reports a problem.
    pub(super) fn fits(&mut self, node: &Node, mark: &str, subject: &Subject) -> bool {
        self.meets(node, mark, requirement(mark), subject)
    }

    /// Returns whether a type meets a requirement; otherwise reports a problem.
    pub(super) fn meets(
        &mut self,
        node: &Node,
        mark: &str,
        requirement: Requirement,
        subject: &Subject,
    ) -> bool {
        let form = form_of(&node.keywords);
        let fits = requirement.accepts(form);
        if !fits {
            let message = format!(
                "{} requires {}, but {} is {}",
                subject.label(mark),
                requirement.phrase(),
                subject.what,
                form.phrase()
            );
            self.problem(Some(subject.mark(mark)), message, None);
        }
        fits
    }

    fn apply_sizes(
        &mut self,
        node: &mut Node,
        marks: &Marks,
        subject: &Subject,
        overlay: &mut Overlay,
    ) {
        for (mark, keyword, size) in [
            ("min_length", "minLength", marks.min_length),
            ("max_length", "maxLength", marks.max_length),
            ("min_items", "minItems", marks.min_items),
            ("max_items", "maxItems", marks.max_items),
            ("min_properties", "minProperties", marks.min_properties),
            ("max_properties", "maxProperties", marks.max_properties),
        ] {
            if let Some(size) = size
                && self.fits(node, mark, subject)
            {
                overlay.put(node, keyword, size);
            }
        }
    }

    fn apply_strings(
        &mut self,
        node: &mut Node,
        marks: &Marks,
        subject: &Subject,
        overlay: &mut Overlay,
    ) {
        if let Some(pattern) = &marks.pattern
            && self.fits(node, "pattern", subject)
        {
            overlay.put(node, "pattern", pattern.as_str());
        }
        if let Some(format) = &marks.format
            && self.format_fits(node, format, subject)
        {
            overlay.put(node, "format", format.as_str());
        }
        if !marks.enum_values.is_empty() {
            self.apply_enum(node, &marks.enum_values, subject);
        }
    }

    /// The values of the type win, as in controller-gen, so a different list on the field is rejected.
    fn apply_enum(&mut self, node: &mut Node, values: &[Value], subject: &Subject) {
        let label = subject.label("enum");
        let mark = Some(subject.mark("enum"));
        for value in values {
            if let Some(mismatch) = super::value::type_mismatch(&node.keywords, value) {
                let message = format!(
                    "invalid value in {label} of {}: it {mismatch}",
                    subject.what
                );
                self.problem(mark, message, None);
            }
        }
        match node.keywords.get("enum") {
            None => node.set("enum", values.to_vec()),
            Some(Value::Array(existing))
                if existing.len() == values.len()
                    && values.iter().all(|value| existing.contains(value)) => {}
            Some(existing) => {
                let message = format!(
                    "{label} on {} conflicts with the values of its type, {existing}",
                    subject.what
                );
                let help = "change the type, or use a separate type for this field".to_owned();
                self.problem(mark, message, Some(help));
            }
        }
    }

    fn apply_extensions(&mut self, node: &mut Node, marks: &Marks, subject: &Subject) {
        if marks.nullable {
            node.set("nullable", true);
        }
        if marks.preserve_unknown_fields && self.fits(node, "preserve_unknown_fields", subject) {
            node.set(PRESERVE, true);
        }
        if marks.embedded_resource && self.fits(node, "embedded_resource", subject) {
            node.set(EMBEDDED, true);
        }
        if let Some(map_type) = marks.map_type
            && self.fits(node, "map_type", subject)
        {
            let word = match map_type {
                MapType::Atomic => "atomic",
                MapType::Granular => "granular",
            };
            node.set(MAP_TYPE, word);
        }
        let keys = &marks.list_map_keys;
        let list_type = marks
            .list_type
            .or((!keys.is_empty()).then_some(ListType::Map));
        let mark = if keys.is_empty() {
            "list_type"
        } else {
            "list_map_key"
        };
        if let Some(list_type) = list_type
            && self.fits(node, mark, subject)
        {
            let word = match list_type {
                ListType::Atomic => "atomic",
                ListType::Map => "map",
                ListType::Set => "set",
            };
            node.natural.names.retain(|name| *name != LIST_TYPE);
            node.set(LIST_TYPE, word);
            node.keywords.remove(LIST_MAP_KEYS);
            if !keys.is_empty() {
                node.set(LIST_MAP_KEYS, keys.clone());
            }
        }
    }

    /// Applies `items(...)` and `values(...)`.
    fn apply_inner(
        &mut self,
        node: &mut Node,
        marks: Option<&Marks>,
        mark: &'static str,
        subject: &Subject,
    ) {
        let Some(marks) = marks else { return };
        let keyword = if mark == "items" {
            "items"
        } else {
            "additionalProperties"
        };
        if !self.fits(node, mark, subject) {
            return;
        }
        let keywords = match node.keywords.remove(keyword) {
            Some(Value::Object(keywords)) => keywords,
            _ => Map::new(),
        };
        let mut inner = Node {
            keywords,
            natural: node
                .natural
                .inner
                .take()
                .map_or_else(Natural::default, |all| *all),
            ..Node::default()
        };
        let hidden = mark == "items" && super::node::text(&node.keywords, LIST_TYPE) != "map";
        let before = self.uncorrelated;
        self.uncorrelated = before.or(hidden.then_some(UNKEYED));
        let own = self.apply(&mut inner, marks, &subject.inner(mark));
        self.uncorrelated = before;
        rules::prepend(&mut inner.keywords, own);
        node.set(keyword, inner.keywords);
        node.natural.inner = Some(Box::new(inner.natural));
    }
}

/// Replaces the type by the JSON type of a mark.
fn apply_schema_type(node: &mut Node, marks: &Marks) {
    if marks.int_or_string && !super::node::is_int_or_string(&node.keywords) {
        // A schemaless field has only the flag, as in controller-gen.
        let typed = !node.keywords.is_empty() && !type_of(&node.keywords).is_empty();
        reset_type(node);
        node.set(INT_OR_STRING, true);
        if typed {
            node.set(
                "anyOf",
                json!([{ "type": "integer" }, { "type": "string" }]),
            );
        }
    }
    if let Some(schema_type) = marks.schema_type {
        let name = type_name(schema_type);
        if type_of(&node.keywords) != name {
            let preserves = super::node::preserves(&node.keywords);
            reset_type(node);
            node.set("type", name);
            if preserves && name == "object" {
                node.set(PRESERVE, true);
            }
        }
    }
}

/// Keeps only documentation keywords.
fn reset_type(node: &mut Node) {
    node.keywords
        .retain(|keyword, _| matches!(keyword.as_str(), "description" | "nullable" | "title"));
    node.natural = Natural::default();
}

fn type_name(schema_type: SchemaType) -> &'static str {
    match schema_type {
        SchemaType::Array => "array",
        SchemaType::Boolean => "boolean",
        SchemaType::Integer => "integer",
        SchemaType::Number => "number",
        SchemaType::Object => "object",
        SchemaType::String => "string",
    }
}

/// Documentation keywords.
fn apply_annotations(node: &mut Node, marks: &Marks) {
    if let Some(title) = &marks.title {
        node.set("title", title.as_str());
    }
    if let Some(example) = &marks.example {
        node.set("example", example.clone());
    }
    if let Some(docs) = &marks.external_docs {
        node.set("externalDocs", external_docs(docs));
    }
}

/// `externalDocs`.
pub(crate) fn external_docs(docs: &ExternalDocs) -> Value {
    let mut entry = Map::new();
    entry.insert("url".to_owned(), docs.url.as_str().into());
    if let Some(description) = &docs.description {
        entry.insert("description".to_owned(), description.as_str().into());
    }
    entry.into()
}
