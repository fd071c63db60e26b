//! Objects: structs, their fields, and enums with data.
//!
//! A field's schema is built in this order: type, docs, marks, default; then its contributions to the kind are collected. The parent decides
//! whether it is required.

use serde_json::{Map, Value};

use super::builder::Builder;
use super::flatten::ObjectParts;
use super::node::Node;
use super::path::Segment;
use super::rules;
use crate::api::{Default, Field, Marks, Presence, Type, Variant, VariantContent};

impl<'a> Builder<'a> {
    /// Builds an object with one property per field.
    pub(super) fn object(&mut self, fields: &'a [Field<Type>]) -> Node {
        let mut parts = ObjectParts::default();
        for field in fields {
            if field.flatten {
                self.flatten(&mut parts, field);
            } else {
                self.add_property(&mut parts, field);
            }
        }
        let removal_rules = self.removal_rules(fields, &parts);
        parts.into_node(removal_rules)
    }

    fn add_property(&mut self, parts: &mut ObjectParts, field: &'a Field<Type>) {
        let before = self.field.replace(&field.name);
        self.path.push(Segment::Property(field.name.clone()));
        self.record_location(field.lossy.is_some());
        let node = self.value(field, &[], &field.name);
        let required = match field.presence {
            Presence::Required => true,
            Presence::Optional => false,
            Presence::ByType => !node.optional,
        };
        if parts.insert(&field.name, node.keywords.into()) {
            if required {
                parts.required.insert(field.name.clone());
            }
        } else {
            self.report_duplicate_name(&field.name);
        }
        self.path.pop();
        self.field = before;
    }

    pub(super) fn report_duplicate_name(&mut self, name: &str) {
        let message = format!("duplicate JSON name `{name}`");
        let help = "rename one of them".to_owned();
        self.problem(None, message, Some(help));
    }

    /// Returns rules that prevent the removal of optional immutable fields.
    fn removal_rules(&mut self, fields: &'a [Field<Type>], parts: &ObjectParts) -> Vec<Value> {
        let mut rules = Vec::new();
        for field in fields {
            if !field.immutable || field.flatten || parts.required.contains(&field.name) {
                continue;
            }
            match rules::forbid_removal(&field.name) {
                Some(rule) => rules.push(rule),
                None => self.no_cel_name("immutable", &field.name),
            }
        }
        rules
    }

    /// Builds an object with exactly one of several properties, serde's representation of an enum with data.
    pub(super) fn union(&mut self, variants: &'a [Variant<Type>]) -> Node {
        let mut parts = ObjectParts::default();
        let mut one_of = Vec::new();
        for variant in variants {
            let before = self.field.replace(&variant.name);
            self.path.push(Segment::Property(variant.name.clone()));
            self.record_location(false);
            let mut node = match &variant.content {
                VariantContent::Newtype(field) => {
                    let node = self.value(field, &[], &variant.name);
                    node.nullable_if_optional()
                }
                VariantContent::Struct(fields) => {
                    let field = self.field.take();
                    let mut node = self.object(fields);
                    node.append_late_rules();
                    self.field = field;
                    node
                }
            };
            self.document(&mut node, &variant.docs);
            if parts.insert(&variant.name, node.keywords.into()) {
                one_of.push(required(&variant.name));
            } else {
                self.report_duplicate_name(&variant.name);
            }
            self.path.pop();
            self.field = before;
        }
        let mut node = parts.into_node(Vec::new());
        if !one_of.is_empty() {
            node.set("oneOf", one_of);
        }
        node
    }

    /// Builds the schema of a field's value, including its marks.
    ///
    /// `name` is used in messages, since the field of a newtype has no name.
    pub(super) fn value(
        &mut self,
        field: &'a Field<Type>,
        outer: &[&'a Marks],
        name: &str,
    ) -> Node {
        let allow_float = std::mem::replace(&mut self.allow_float, field.allow_float);
        let mut layers = Vec::with_capacity(outer.len() + 1);
        layers.push(&field.marks);
        layers.extend_from_slice(outer);
        let mut node = match &field.ty {
            Some(ty) => self.type_node(ty, &layers),
            None => Node::default(),
        };
        self.allow_float = allow_float;
        self.document(&mut node, &field.docs);
        self.apply_to_field(&mut node, field, name);
        if outer.is_empty() && !field.flatten {
            self.check_complete(&node, name);
        }
        self.apply_default(&mut node, field, name);
        self.collect(field, &node, name);
        node
    }

    fn apply_default(&mut self, node: &mut Node, field: &Field<Type>, name: &str) {
        let value = match &field.default {
            None => return,
            Some(Default::Value(value)) => value,
            Some(Default::Expression(_)) => {
                let message = format!("the default of `{name}` is an unevaluated expression");
                return self.problem(Some("default"), message, None);
            }
        };
        if !node.broken
            && let Some(mismatch) = super::value::mismatch(&node.keywords, value)
        {
            let message = format!("invalid default of `{name}`: it {mismatch}");
            self.problem(Some("default"), message, None);
        }
        node.set("default", super::value::normalize(value));
    }
}

/// Returns the schema of objects that have a property.
pub(super) fn required(name: &str) -> Value {
    let mut keywords = Map::new();
    keywords.insert("required".to_owned(), vec![name].into());
    keywords.into()
}
