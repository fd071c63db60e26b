//! Finds data of a valid object that a second schema of the same kind does not preserve.
//!
//! Without a conversion webhook, the API server only changes `apiVersion` between versions and prunes the object by the other schema. This walks
//! both schemas: a field missing in the other is pruned, a value of another type cannot be decoded. Bounds, enums and rules are ignored: they
//! reject values but lose none.

use serde_json::Value;

use super::node::{EMBEDDED, Keywords, describe, flag, is_int_or_string, preserves, type_of};
use super::path::{Path, Segment};

/// A value that is lost or cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Path, such as `.spec.containers[].name`.
    pub path: String,
    /// Reason.
    pub cause: Cause,
}

/// Reason for a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The other schema has no such field.
    Missing,
    /// It is a map, but the other schema has fixed properties.
    Keys,
    /// It preserves unknown fields, but the other schema does not.
    Unknown,
    /// It has another type.
    Type {
        /// Type: "a string".
        from: &'static str,
        /// Type in the other schema.
        to: &'static str,
    },
}

/// Returns the losses of an object valid by `from` when pruned by `to`.
pub fn losses(from: &Value, to: &Value) -> Vec<Loss> {
    let mut comparison = Comparison::default();
    if let (Value::Object(from), Value::Object(to)) = (from, to) {
        comparison.schema(from, to);
    }
    comparison.losses
}

#[derive(Default)]
struct Comparison {
    path: Path,
    losses: Vec<Loss>,
}

impl Comparison {
    fn report(&mut self, cause: Cause) {
        let path = self.path.display();
        self.losses.push(Loss { path, cause });
    }

    fn descend(&mut self, segment: Segment, work: impl FnOnce(&mut Self)) {
        self.path.push(segment);
        work(self);
        self.path.pop();
    }

    fn schema(&mut self, from: &Keywords, to: &Keywords) {
        if !is_compatible(from, to) {
            let (from, to) = (describe(from), describe(to));
            return self.report(Cause::Type { from, to });
        }
        if preserves(from) && !preserves(to) {
            self.report(Cause::Unknown);
        }
        if let Some(Value::Object(fields)) = from.get("properties") {
            for (name, field) in fields {
                self.field(name, field, to);
            }
        }
        match (
            from.get("additionalProperties"),
            to.get("additionalProperties"),
        ) {
            (Some(Value::Object(from)), Some(Value::Object(to))) => {
                self.descend(Segment::Values, |this| this.schema(from, to));
            }
            (Some(Value::Object(_) | Value::Bool(true)), None) if !preserves(to) => {
                self.report(Cause::Keys);
            }
            _ => {}
        }
        if let (Some(Value::Object(from)), Some(Value::Object(to))) =
            (from.get("items"), to.get("items"))
        {
            self.descend(Segment::Elements, |this| this.schema(from, to));
        }
    }

    fn field(&mut self, name: &str, from: &Value, to: &Keywords) {
        let same = to.get("properties").and_then(|fields| fields.get(name));
        let other = same.or_else(|| to.get("additionalProperties"));
        self.descend(Segment::Property(name.to_owned()), |this| {
            match (from, other) {
                (Value::Object(from), Some(Value::Object(to))) => this.schema(from, to),
                (_, Some(_)) => {}
                (_, None) if preserves(to) || is_implied(name, to) => {}
                (_, None) => this.report(Cause::Missing),
            }
        });
    }
}

/// Returns whether the API server preserves fields of an embedded object that its schema does not list.
fn is_implied(name: &str, schema: &Keywords) -> bool {
    flag(schema, EMBEDDED) && ["apiVersion", "kind", "metadata"].contains(&name)
}

/// Returns whether the types of both schemas overlap.
fn is_compatible(from: &Keywords, to: &Keywords) -> bool {
    match (type_of(from), type_of(to)) {
        _ if is_int_or_string(to) => {
            is_int_or_string(from) || matches!(type_of(from), "integer" | "string")
        }
        (_, "") => true,
        _ if is_int_or_string(from) => false,
        (from, to) => from == to || (from == "integer" && to == "number"),
    }
}
