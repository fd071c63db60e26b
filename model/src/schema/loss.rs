//! What of a valid object a second schema of the same kind does not keep.
//!
//! Without a conversion webhook the API server changes nothing but `apiVersion` between two versions of a kind, and then prunes the object
//! by the schema of the other one. Both schemas are walked side by side: a field that the other lacks is pruned, and a value of
//! another type cannot be read. Bounds, enums and rules are left alone: they refuse values, and lose none.

use serde_json::Value;

use super::node::{EMBEDDED, Keywords, describe, flag, is_int_or_string, preserves, type_of};
use super::path::{Path, Segment};

/// A value that is lost, or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Its path, as `.spec.containers[].name`.
    pub path: String,
    /// Why.
    pub cause: Cause,
}

/// Why a value is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The other schema has no such field.
    Missing,
    /// It is a map, and the other schema keeps only the keys that it names.
    Keys,
    /// It keeps unknown fields, and the other schema does not.
    Unknown,
    /// It is of another type there.
    Type {
        /// What it is: "a string".
        from: &'static str,
        /// What it is there.
        to: &'static str,
    },
}

/// What of an object that is valid by `from` is lost by `to`.
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
    fn lose(&mut self, cause: Cause) {
        let path = self.path.display();
        self.losses.push(Loss { path, cause });
    }

    fn below(&mut self, segment: Segment, work: impl FnOnce(&mut Self)) {
        self.path.push(segment);
        work(self);
        self.path.pop();
    }

    fn schema(&mut self, from: &Keywords, to: &Keywords) {
        if !is_readable(from, to) {
            let (from, to) = (describe(from), describe(to));
            return self.lose(Cause::Type { from, to });
        }
        if preserves(from) && !preserves(to) {
            self.lose(Cause::Unknown);
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
                self.below(Segment::Values, |this| this.schema(from, to));
            }
            (Some(Value::Object(_) | Value::Bool(true)), None) if !preserves(to) => {
                self.lose(Cause::Keys);
            }
            _ => {}
        }
        if let (Some(Value::Object(from)), Some(Value::Object(to))) =
            (from.get("items"), to.get("items"))
        {
            self.below(Segment::Elements, |this| this.schema(from, to));
        }
    }

    fn field(&mut self, name: &str, from: &Value, to: &Keywords) {
        let same = to.get("properties").and_then(|fields| fields.get(name));
        let other = same.or_else(|| to.get("additionalProperties"));
        self.below(Segment::Property(name.to_owned()), |this| {
            match (from, other) {
                (Value::Object(from), Some(Value::Object(to))) => this.schema(from, to),
                (_, Some(_)) => {}
                (_, None) if preserves(to) || is_implied(name, to) => {}
                (_, None) => this.lose(Cause::Missing),
            }
        });
    }
}

/// Whether the API server keeps a field that the schema of an embedded object does not name.
fn is_implied(name: &str, schema: &Keywords) -> bool {
    flag(schema, EMBEDDED) && ["apiVersion", "kind", "metadata"].contains(&name)
}

/// Whether values of one schema are of a type that the other has, too.
fn is_readable(from: &Keywords, to: &Keywords) -> bool {
    match (type_of(from), type_of(to)) {
        _ if is_int_or_string(to) => {
            is_int_or_string(from) || matches!(type_of(from), "integer" | "string")
        }
        (_, "") => true,
        _ if is_int_or_string(from) => false,
        (from, to) => from == to || (from == "integer" && to == "number"),
    }
}
