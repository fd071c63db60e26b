//! Builds the schema of a whole object: metadata, spec and status.

use serde_json::{Map, Value, json};

use super::builder::Builder;
use super::node::{Keywords, Node, describe, type_of};
use crate::api::{Marks, Resource, SpecLayout, Type};

const API_VERSION: &str = "APIVersion defines the versioned schema of this representation of an object.\n\
    Servers should convert recognized schemas to the latest internal value, and\n\
    may reject unrecognized values.\n\
    More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const KIND: &str = "Kind is a string value representing the REST resource this object represents.\n\
    Servers may infer this from the endpoint the client submits requests to.\n\
    Cannot be updated.\n\
    In CamelCase.\n\
    More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";

/// Properties of every object, and the status.
const RESERVED: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];

impl<'a> Builder<'a> {
    /// Builds the schema of a kind.
    pub(crate) fn root(&mut self, resource: &'a Resource<Type>) -> Keywords {
        let mut properties = Map::new();
        properties.insert(
            "apiVersion".to_owned(),
            json!({ "type": "string", "description": API_VERSION }),
        );
        properties.insert(
            "kind".to_owned(),
            json!({ "type": "string", "description": KIND }),
        );
        properties.insert("metadata".to_owned(), json!({ "type": "object" }));
        let mut node = Node::of_type("object");
        match resource.spec_layout {
            SpecLayout::Root => self.add_root_fields(&mut node, &mut properties, &resource.spec),
            layout => {
                let spec = self.property("spec", &resource.spec);
                properties.insert("spec".to_owned(), spec.into());
                if layout == SpecLayout::Required {
                    node.set("required", vec!["spec"]);
                }
            }
        }
        if let Some(status) = &resource.status {
            let status = self.property("status", status);
            properties.insert("status".to_owned(), status.into());
        }
        node.set("properties", properties);
        self.document(&mut node, &resource.docs);
        self.check_root_marks(&resource.marks);
        self.apply_to_type(&mut node, &resource.marks, resource.kind.as_str(), true);
        if resource.status_subresource && node.keywords.contains_key("oneOf") {
            let message = "`no_spec` with a status subresource does not support enums: the API server rejects `oneOf` at the root";
            let help = "move it to a field, or remove `no_spec`".to_owned();
            self.problem(None, message.to_owned(), Some(help));
        }
        node.keywords
    }

    fn add_root_fields(&mut self, node: &mut Node, properties: &mut Keywords, spec: &'a Type) {
        let mut keywords = self.at_root(spec);
        if type_of(&keywords) != "object" || keywords.contains_key("additionalProperties") {
            let message = format!(
                "`no_spec` requires a struct, but its type is {}",
                describe(&keywords)
            );
            return self.problem(Some("no_spec"), message, None);
        }
        if let Some(Value::Object(fields)) = keywords.remove("properties") {
            for (name, schema) in fields {
                if RESERVED.contains(&name.as_str()) {
                    let message = format!("with `no_spec`, the field name `{name}` is reserved");
                    let help = "rename the field, or remove `no_spec`".to_owned();
                    self.problem(None, message, Some(help));
                } else {
                    properties.insert(name, schema);
                }
            }
        }
        keywords.remove("description");
        for (keyword, value) in keywords {
            node.set(&keyword, value);
        }
    }

    /// Rejects marks that make no sense for a whole object or that the API server rejects there.
    fn check_root_marks(&mut self, marks: &Marks) {
        let allowed = Marks {
            rules: marks.rules.clone(),
            one_of: marks.one_of.clone(),
            title: marks.title.clone(),
            example: marks.example.clone(),
            external_docs: marks.external_docs.clone(),
            preserve_unknown_fields: marks.preserve_unknown_fields,
            ..Marks::default()
        };
        if *marks != allowed {
            let message = "only `cel`, the `one_of` family, `title`, `example`, `external_docs` and `preserve_unknown_fields` apply to a whole object";
            let help = "move the others to the struct or its fields".to_owned();
            self.problem(None, message.to_owned(), Some(help));
        }
    }
}
