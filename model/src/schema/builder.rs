//! Builds schemas of types: walks the type graph, inlines references and tracks the current path.
//!
//! Collects all problems, each once, with the type and field they belong to. A broken type becomes "any value", so that a mistake is reported
//! once.

use std::mem;

use serde_json::Value;

use super::contributions::Contributions;
use super::node::{Keywords, Node, PRESERVE};
use super::path::{Path, Segment};
use super::{core, keyword, number};
use crate::api::{ListType, MapType, Marks, Shape, Type, TypeDef, TypeId, Types};
use crate::crd::{Location, Options, Problem};

/// Walk over the types of a kind in one version.
pub(crate) struct Builder<'a> {
    pub(super) types: &'a Types,
    pub(super) options: &'a Options,
    pub(super) kind: String,
    pub(super) path: Path,
    /// Stack of types being expanded, outermost first.
    pub(super) stack: Vec<&'a TypeId>,
    pub(super) type_id: Option<&'a TypeId>,
    pub(super) field: Option<&'a str>,
    /// Whether the current field may be a float.
    pub(super) allow_float: bool,
    /// What hides the old value of the current one from rules, if anything.
    pub(super) uncorrelated: Option<&'static str>,
    /// Nesting depth of the current schema.
    depth: usize,
    /// Number of schemas so far.
    nodes: usize,
    pub(super) contributions: Contributions,
    pub(super) problems: Vec<Problem>,
    locations: Option<FieldLocations>,
}

/// Source positions of the fields of a schema.
#[derive(Debug, Default)]
pub(crate) struct FieldLocations {
    pub(crate) fields: Vec<FieldLocation>,
    /// Paths of fields that may be lost between versions.
    pub(crate) lossy: Vec<String>,
}

/// Source position of a field.
#[derive(Debug)]
pub(crate) struct FieldLocation {
    pub(crate) path: String,
    pub(crate) type_id: Option<TypeId>,
    pub(crate) field: Option<String>,
}

impl<'a> Builder<'a> {
    /// Creates a builder.
    pub(crate) fn new(types: &'a Types, options: &'a Options, kind: String) -> Self {
        Self {
            types,
            options,
            kind,
            path: Path::default(),
            stack: Vec::new(),
            type_id: None,
            field: None,
            allow_float: false,
            uncorrelated: None,
            depth: 0,
            nodes: 0,
            contributions: Contributions::default(),
            problems: Vec::new(),
            locations: None,
        }
    }

    /// Also records where each field is written.
    pub(crate) fn with_locations(types: &'a Types, options: &'a Options, kind: String) -> Self {
        Self {
            locations: Some(FieldLocations::default()),
            ..Self::new(types, options, kind)
        }
    }

    /// Returns the source positions.
    pub(crate) fn into_field_locations(self) -> FieldLocations {
        self.locations.unwrap_or_default()
    }

    /// Records the field at the current path.
    pub(super) fn record_location(&mut self, is_lossy: bool) {
        let Some(locations) = &mut self.locations else {
            return;
        };
        let path = self.path.display();
        if is_lossy {
            locations.lossy.push(path.clone());
        }
        locations.fields.push(FieldLocation {
            path,
            type_id: self.type_id.cloned(),
            field: self.field.map(str::to_owned),
        });
    }

    /// Builds the schema of a root property.
    pub(crate) fn property(&mut self, name: &str, ty: &'a Type) -> Keywords {
        self.path.push(Segment::Property(name.to_owned()));
        let node = self.type_node(ty, &[]);
        self.check_complete(&node, name);
        self.path.pop();
        node.keywords
    }

    /// Builds the schema of a type whose fields are at the root.
    pub(crate) fn at_root(&mut self, ty: &'a Type) -> Keywords {
        self.type_node(ty, &[]).keywords
    }

    /// Returns the collected contributions and problems.
    pub(crate) fn finish(self) -> (Contributions, Vec<Problem>) {
        (self.contributions, self.problems)
    }

    /// Reports a problem at the current position, unless already reported.
    pub(super) fn problem(&mut self, mark: Option<&str>, message: String, help: Option<String>) {
        let location = Location {
            kind: Some(self.kind.clone()),
            type_id: self.type_id.cloned(),
            field: self.field.map(str::to_owned),
            mark: mark.map(str::to_owned),
            path: self.path.display(),
        };
        let problem = Problem {
            location,
            message,
            help,
        };
        if !self
            .problems
            .iter()
            .any(|known| is_duplicate(known, &problem))
        {
            self.problems.push(problem);
        }
    }

    /// Builds the schema of a type. `outer` are the marks that will be applied to it.
    pub(super) fn type_node(&mut self, ty: &'a Type, outer: &[&'a Marks]) -> Node {
        self.nodes += 1;
        if self.depth >= MAX_DEPTH || self.nodes > MAX_NODES {
            return self.too_large();
        }
        self.depth += 1;
        let node = self.unlimited_type_node(ty, outer);
        self.depth -= 1;
        node
    }

    /// Limits the size: types that contain each other twice double it with each level.
    fn too_large(&mut self) -> Node {
        let message = if self.nodes > MAX_NODES {
            format!("the schema has more than {MAX_NODES} nodes")
        } else {
            format!("the schema is nested more than {MAX_DEPTH} levels deep")
        };
        // All further fields exceed the limit; one message is enough.
        if !self.problems.iter().any(|known| known.message == message) {
            self.problem(None, message, Some(SCHEMALESS_HINT.to_owned()));
        }
        Node::broken()
    }

    fn unlimited_type_node(&mut self, ty: &'a Type, outer: &[&'a Marks]) -> Node {
        match ty {
            Type::Bool => Node::of_type("boolean"),
            Type::Integer { bits, signed } => self.integer(*bits, *signed),
            Type::Float => self.float(),
            Type::String => Node::of_type("string"),
            Type::Any => {
                let mut node = Node::default();
                node.set(PRESERVE, true);
                node
            }
            Type::Optional(inner) => {
                let mut node = self.type_node(inner, outer);
                node.optional = true;
                node
            }
            Type::List(inner) => self.list(inner, outer),
            Type::Set(inner) => self.set(inner, outer),
            Type::Array(inner, length) => {
                let mut node = self.list(inner, outer);
                node.set_natural("minItems", *length);
                node.set_natural("maxItems", *length);
                node
            }
            Type::Map(inner) => self.map(inner, outer),
            Type::Core(component) => self.core(component),
            Type::Ref(id) => self.reference(id, outer),
            Type::Raw(schema) => self.raw(schema),
        }
    }

    fn integer(&mut self, bits: u8, signed: bool) -> Node {
        number::integer(bits, signed).unwrap_or_else(|| {
            let message = format!("{bits}-bit integers exceed the range of JSON numbers");
            let help = "use `i64` or a string".to_owned();
            self.problem(None, message, Some(help));
            Node::broken()
        })
    }

    fn float(&mut self) -> Node {
        if !self.allow_float {
            let what = self
                .field
                .map_or_else(|| "a float".to_owned(), |f| format!("`{f}` is a float"));
            let message = format!("{what}, whose precision varies across languages");
            let help = "use an integer or a string, or add `#[kb(allow_float)]`";
            self.problem(None, message, Some(help.to_owned()));
        }
        Node::of_type("number")
    }

    fn list(&mut self, inner: &'a Type, outer: &[&'a Marks]) -> Node {
        let elements = inner_marks(outer, |marks| marks.items.as_deref());
        let is_map = outer.iter().any(|marks| is_list_map(marks));
        let hidden = (!is_map).then_some(UNKEYED);
        let before = self.uncorrelated;
        self.uncorrelated = before.or(hidden);
        self.path.push(Segment::Elements);
        let node = self.type_node(inner, &elements);
        self.path.pop();
        self.uncorrelated = before;
        Node::container("array", "items", node)
    }

    /// A set is also a set for server-side apply, if the API server allows it: elements are compared as a whole.
    fn set(&mut self, inner: &'a Type, outer: &[&'a Marks]) -> Node {
        let mut node = self.list(inner, outer);
        let atomic = node
            .keywords
            .get("items")
            .and_then(Value::as_object)
            .is_some_and(super::list::is_set_element);
        if atomic {
            node.set_natural(super::node::LIST_TYPE, "set");
        }
        node
    }

    fn map(&mut self, inner: &'a Type, outer: &[&'a Marks]) -> Node {
        let values = inner_marks(outer, |marks| marks.values.as_deref());
        self.path.push(Segment::Values);
        let node = self.type_node(inner, &values);
        self.path.pop();
        Node::container("object", "additionalProperties", node)
    }

    fn core(&mut self, component: &str) -> Node {
        match core::schema(component, &self.options.core_descriptions) {
            Ok(keywords) => {
                self.nodes += count(&keywords);
                Node {
                    keywords,
                    ..Node::default()
                }
            }
            Err(message) => {
                self.problem(None, message, Some(SCHEMALESS_HINT.to_owned()));
                Node::broken()
            }
        }
    }

    fn raw(&mut self, schema: &Value) -> Node {
        if let Some(message) = keyword::rejection(schema) {
            let help = "fix the schema for `json_schema`".to_owned();
            self.problem(Some("json_schema"), message, Some(help));
            return Node::broken();
        }
        Node {
            keywords: schema.as_object().cloned().unwrap_or_default(),
            ..Node::default()
        }
    }

    fn reference(&mut self, id: &'a TypeId, outer: &[&'a Marks]) -> Node {
        let Some(def) = self.types.get(id) else {
            self.problem(None, format!("unknown type `{id}`"), None);
            return Node::broken();
        };
        if self.stack.contains(&id) {
            let message = format!(
                "recursive type `{}` ({}): schemas of CRDs cannot be recursive",
                def.name,
                self.chain(&def.name)
            );
            self.problem(None, message, Some(SCHEMALESS_HINT.to_owned()));
            return Node::broken();
        }
        let before = (self.type_id.replace(id), self.field.take());
        self.stack.push(id);
        let node = self.definition(def, outer);
        self.stack.pop();
        (self.type_id, self.field) = before;
        node
    }

    /// Returns the cycle, from the outermost type to its repetition.
    fn chain(&self, last: &str) -> String {
        let mut chain = String::new();
        for id in &self.stack {
            chain.push_str(self.types.get(id).map_or(id.as_str(), |def| &def.name));
            chain.push_str(" -> ");
        }
        chain + last
    }

    fn definition(&mut self, def: &'a TypeDef<Type>, outer: &[&'a Marks]) -> Node {
        let mut layers = Vec::with_capacity(outer.len() + 1);
        layers.push(&def.marks);
        layers.extend_from_slice(outer);
        let (mut node, own) = match &def.shape {
            Shape::Struct(fields) => (self.in_object(&layers, |this| this.object(fields)), true),
            Shape::Union(variants) => (self.in_object(&layers, |this| this.union(variants)), true),
            Shape::Choice(names) => {
                let mut node = Node::of_type("string");
                node.set("enum", names.clone());
                (node, true)
            }
            Shape::Newtype(field) => {
                let node = self.value(field, &layers, &def.name);
                (node.nullable_if_optional(), false)
            }
            Shape::Opaque => (Node::default(), true),
        };
        self.document(&mut node, &def.docs);
        self.apply_to_type(&mut node, &def.marks, &def.name, own);
        node.append_late_rules();
        node
    }

    /// Fields of an atomic object have no old value for rules.
    fn in_object(&mut self, layers: &[&Marks], build: impl FnOnce(&mut Self) -> Node) -> Node {
        let map_type = layers.iter().rev().find_map(|marks| marks.map_type);
        let hidden = (map_type == Some(MapType::Atomic)).then_some("an atomic object");
        let before = self.uncorrelated;
        self.uncorrelated = before.or(hidden);
        let allow_float = mem::take(&mut self.allow_float);
        let node = build(self);
        self.allow_float = allow_float;
        self.uncorrelated = before;
        node
    }

    /// Sets the description from a doc comment.
    #[expect(clippy::unused_self, reason = "consistent with the other methods")]
    pub(super) fn document(&self, node: &mut Node, docs: &str) {
        if !docs.is_empty() {
            node.set("description", docs);
        }
    }
}

/// Maximum number of schemas in a schema. The API server accepts about twenty `PodTemplateSpec`s in a CRD, which have fewer.
const MAX_NODES: usize = 30_000;

/// Maximum nesting depth. Schemas of Kubernetes types have 20 levels.
const MAX_DEPTH: usize = 128;

/// Counts the schemas in a schema.
fn count(keywords: &Keywords) -> usize {
    let fields = keywords.get("properties").and_then(Value::as_object);
    let fields = fields.into_iter().flat_map(|fields| fields.values());
    let inner = ["items", "additionalProperties"].map(|keyword| keywords.get(keyword));
    let schemas = fields.chain(inner.into_iter().flatten());
    schemas
        .filter_map(Value::as_object)
        .map(|it| 1 + count(it))
        .sum()
}

/// What hides the old value of an element.
pub(super) const UNKEYED: &str = "a list without `list_map_key`";

/// Hint where a schema cannot be built.
const SCHEMALESS_HINT: &str =
    "add `#[kb(schemaless, preserve_unknown_fields)]` to the field to accept any value";

/// Returns the marks of elements or values.
fn inner_marks<'a>(
    outer: &[&'a Marks],
    inner: impl Fn(&'a Marks) -> Option<&'a Marks>,
) -> Vec<&'a Marks> {
    outer.iter().filter_map(|marks| inner(marks)).collect()
}

fn is_list_map(marks: &Marks) -> bool {
    marks.list_type == Some(ListType::Map) || !marks.list_map_keys.is_empty()
}

/// Reports a problem of a shared type only once.
fn is_duplicate(one: &Problem, other: &Problem) -> bool {
    one.message == other.message
        && one.location.mark == other.location.mark
        && one.location.field == other.location.field
        && one.location.type_id == other.location.type_id
        && (one.location.type_id.is_some() || one.location.path == other.location.path)
}
