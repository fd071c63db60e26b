//! Expands the schema of a component, inlining all references.
//!
//! The result is a structural schema as written by controller-gen without descriptions. Attributes of a property (default, list type) override those
//! of its type.

use serde_json::{Map, Value};
use thiserror::Error;

use super::table;
use super::type_expression::TypeExpression;

/// A recursive type, which structural schemas cannot express.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{} cannot be embedded in a CRD: structural schemas cannot be recursive ({}); \
     use a type that accepts any JSON",
    type_name(&self.chain[0]),
    self.chain.iter().map(|component| type_name(component)).collect::<Vec<_>>().join(" > ")
)]
pub struct RecursiveType {
    chain: Vec<String>,
}

impl RecursiveType {
    /// The cycle, from the requested component to its repetition.
    pub fn chain(&self) -> &[String] {
        &self.chain
    }
}

/// Returns the structural schema of a component such as `io.k8s.api.core.v1.PodTemplateSpec`, or `None` if unknown.
pub fn schema(component: &str) -> Result<Option<Value>, RecursiveType> {
    if table::find(component).is_none() {
        return Ok(None);
    }
    let schema = Expansion::default().component(component)?;
    Ok(Some(Value::Object(schema)))
}

/// Returns the last part of a component's name.
fn type_name(component: &str) -> &str {
    component.rsplit('.').next().unwrap_or(component)
}

/// Stack of components being expanded, outermost first.
#[derive(Debug, Default)]
struct Expansion {
    chain: Vec<String>,
}

impl Expansion {
    fn component(&mut self, component: &str) -> Result<Map<String, Value>, RecursiveType> {
        let again = self.chain.iter().any(|outer| outer == component);
        self.chain.push(component.to_owned());
        if again {
            let chain = std::mem::take(&mut self.chain);
            return Err(RecursiveType { chain });
        }
        let (head, lines) =
            table::find(component).expect("table.tsv contains every referenced component");
        let mut schema = self.expression(head.kind, component)?;
        let mut properties = Map::new();
        let mut required = Vec::new();
        for line in lines {
            let mut property = self.expression(line.kind, component)?;
            line.mark(&mut property);
            properties.insert(line.name.to_owned(), Value::Object(property));
            required.extend(line.required.then(|| Value::from(line.name)));
        }
        if !properties.is_empty() {
            schema.insert("properties".to_owned(), Value::Object(properties));
        }
        if !required.is_empty() {
            schema.insert("required".to_owned(), Value::Array(required));
        }
        head.mark(&mut schema);
        self.chain.pop();
        Ok(schema)
    }

    /// Expands a type expression of `component`.
    fn expression(
        &mut self,
        text: &str,
        component: &str,
    ) -> Result<Map<String, Value>, RecursiveType> {
        let (kind, keyword, inner) = match TypeExpression::parse(text, component) {
            TypeExpression::Plain(schema) => return Ok(schema),
            TypeExpression::Component(name) => return self.component(&name),
            TypeExpression::List(item) => ("array", "items", item),
            TypeExpression::Map(value) => ("object", "additionalProperties", value),
        };
        let inner = self.expression(inner, component)?;
        let mut schema = Map::new();
        schema.insert("type".to_owned(), kind.into());
        schema.insert(keyword.to_owned(), Value::Object(inner));
        Ok(schema)
    }
}
