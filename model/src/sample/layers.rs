//! All schemas that hold for one value: its own, those in `allOf`, and a branch of each `anyOf` and `oneOf`.
//!
//! Which branch is chosen here, and nowhere else: the one whose fields the sample has anyway, or the one that asks for nothing, or
//! the first.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

type Keywords = Map<String, Value>;

/// The schemas of a value.
#[derive(Debug, Default)]
pub(super) struct Layers<'a> {
    schemas: Vec<&'a Keywords>,
    /// Fields that would make another branch hold, too.
    avoided: BTreeSet<&'a str>,
}

impl<'a> Layers<'a> {
    /// What these schemas say together.
    pub(super) fn of(schemas: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut layers = Self::default();
        for schema in schemas.into_iter().filter_map(Value::as_object) {
            layers.add(schema);
        }
        layers
    }

    fn add(&mut self, schema: &'a Keywords) {
        self.schemas.push(schema);
        for part in objects(schema, "allOf") {
            self.add(part);
        }
        if let Some(Value::Object(not)) = schema.get("not") {
            self.avoid(not);
            objects(not, "anyOf").for_each(|one| self.avoid(one));
        }
        for (keyword, only_one) in [("oneOf", true), ("anyOf", false)] {
            let branches: Vec<&Keywords> = objects(schema, keyword).collect();
            let Some(chosen) = self.choose(&branches) else {
                continue;
            };
            self.add(branches[chosen]);
            let others = branches.iter().enumerate();
            for (_, other) in others.filter(|(index, _)| only_one && *index != chosen) {
                self.avoid(other);
            }
        }
    }

    /// Keeps from the sample what a schema asks for, unless it is needed.
    fn avoid(&mut self, schema: &'a Keywords) {
        let needed = self.required();
        let optional = names(schema).filter(|name| !needed.contains(name));
        self.avoided.extend(optional);
    }

    fn choose(&self, branches: &[&'a Keywords]) -> Option<usize> {
        let needed = self.required();
        let is_there = |name: &str| needed.contains(name) || self.property(name).said().is_some();
        let asks = |branch: &Keywords| names(branch).next().is_some();
        let find = |fits: &dyn Fn(&'a Keywords) -> bool| {
            let mut indices = 0..branches.len();
            indices.find(|index| fits(branches[*index]))
        };
        find(&|branch| asks(branch) && names(branch).all(is_there))
            .or_else(|| find(&|branch| branch.contains_key("not")))
            .or_else(|| find(&|branch| !names(branch).any(|name| self.avoided.contains(name))))
            .or_else(|| find(&|_| true))
    }

    /// The value that the user has given: the example, or else the default. An empty text says nothing.
    pub(super) fn said(&self) -> Option<&'a Value> {
        let is_telling = |value: &&Value| !value.is_null() && *value != "";
        self.first("example")
            .or_else(|| self.first("default").filter(is_telling))
    }

    /// The values that are allowed, if they are listed.
    pub(super) fn choices(&self) -> Option<Vec<&'a Value>> {
        let mut lists = self
            .schemas
            .iter()
            .filter_map(|schema| schema.get("enum")?.as_array());
        let first = lists.next()?;
        let others: Vec<_> = lists.collect();
        let allowed =
            |value: &&Value| !value.is_null() && others.iter().all(|list| list.contains(value));
        Some(first.iter().filter(allowed).collect())
    }

    /// The JSON type; empty if there is none.
    pub(super) fn json_type(&self) -> &'a str {
        self.first("type")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// A keyword where it is said first.
    pub(super) fn first(&self, keyword: &str) -> Option<&'a Value> {
        self.all(keyword).next()
    }

    /// A keyword everywhere it is said.
    pub(super) fn all(&self, keyword: &str) -> impl Iterator<Item = &'a Value> {
        self.schemas
            .iter()
            .filter_map(move |schema| schema.get(keyword))
    }

    /// The schemas themselves, for keywords that belong together.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &'a Keywords> {
        self.schemas.iter().copied()
    }

    /// Whether a flag is set.
    pub(super) fn flag(&self, keyword: &str) -> bool {
        self.all(keyword).any(|value| *value == true)
    }

    /// The counts that a keyword for the least and one for the most allow.
    pub(super) fn counts(&self, [least, most]: [&str; 2]) -> (usize, usize) {
        let count = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let least = self.all(least).filter_map(count).max();
        let most = self.all(most).filter_map(count).min();
        (least.unwrap_or(0), most.unwrap_or(usize::MAX))
    }

    /// The texts in a list.
    pub(super) fn texts(&self, keyword: &str) -> impl Iterator<Item = &'a str> {
        let lists = self.all(keyword).filter_map(Value::as_array);
        lists.flatten().filter_map(Value::as_str)
    }

    /// The fields that an object must have.
    pub(super) fn required(&self) -> BTreeSet<&'a str> {
        self.texts("required").collect()
    }

    /// The fields that an object must not have.
    pub(super) fn avoided(&self) -> &BTreeSet<&'a str> {
        &self.avoided
    }

    /// The fields that an object can have, sorted.
    pub(super) fn properties(&self) -> BTreeSet<&'a str> {
        let all = self.all("properties").filter_map(Value::as_object);
        all.flat_map(Map::keys).map(String::as_str).collect()
    }

    /// A field.
    pub(super) fn property(&self, name: &str) -> Self {
        Self::of(self.all("properties").filter_map(|all| all.get(name)))
    }

    /// The elements of a list, or the values of a map; none without a schema for them.
    pub(super) fn inner(&self, keyword: &str) -> Option<Self> {
        let inner = Self::of(self.all(keyword));
        (!inner.schemas.is_empty()).then_some(inner)
    }
}

/// The schemas in a list.
fn objects<'a>(
    schema: &'a Keywords,
    keyword: &str,
) -> impl Iterator<Item = &'a Keywords> + use<'a> {
    let list = schema.get(keyword).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_object)
}

/// What a schema itself asks for.
fn names(schema: &Keywords) -> impl Iterator<Item = &str> {
    let list = schema.get("required").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}
