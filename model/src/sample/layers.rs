//! All schemas that apply to a value: its own, those in `allOf`, and one branch of each `anyOf` and `oneOf`.
//!
//! Chooses the branch whose fields the sample has anyway, otherwise the one without requirements, otherwise the first.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

type Keywords = Map<String, Value>;

/// Schemas of a value.
#[derive(Debug, Default)]
pub(super) struct Layers<'a> {
    schemas: Vec<&'a Keywords>,
    /// Fields that would also satisfy another branch.
    avoided: BTreeSet<&'a str>,
}

impl<'a> Layers<'a> {
    /// Combines schemas.
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

    /// Excludes the fields of a branch from the sample, unless they are required.
    fn avoid(&mut self, schema: &'a Keywords) {
        let needed = self.required();
        let optional = names(schema).filter(|name| !needed.contains(name));
        self.avoided.extend(optional);
    }

    fn choose(&self, branches: &[&'a Keywords]) -> Option<usize> {
        let needed = self.required();
        let is_there =
            |name: &str| needed.contains(name) || self.property(name).user_value().is_some();
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

    /// Returns the user's value: the example, otherwise the default. Ignores empty strings.
    pub(super) fn user_value(&self) -> Option<&'a Value> {
        let is_meaningful = |value: &&Value| !value.is_null() && *value != "";
        self.first("example")
            .or_else(|| self.first("default").filter(is_meaningful))
    }

    /// Returns the allowed values, if enumerated.
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

    /// Returns the JSON type, or an empty string.
    pub(super) fn json_type(&self) -> &'a str {
        self.first("type")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// Returns the first value of a keyword.
    pub(super) fn first(&self, keyword: &str) -> Option<&'a Value> {
        self.all(keyword).next()
    }

    /// Returns all values of a keyword.
    pub(super) fn all(&self, keyword: &str) -> impl Iterator<Item = &'a Value> {
        self.schemas
            .iter()
            .filter_map(move |schema| schema.get(keyword))
    }

    /// Returns the schemas, for keywords that belong together.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &'a Keywords> {
        self.schemas.iter().copied()
    }

    /// Returns whether a flag is set.
    pub(super) fn flag(&self, keyword: &str) -> bool {
        self.all(keyword).any(|value| *value == true)
    }

    /// Returns the range of a pair of minimum and maximum keywords.
    pub(super) fn size_range(&self, [least, most]: [&str; 2]) -> (usize, usize) {
        let count = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let least = self.all(least).filter_map(count).max();
        let most = self.all(most).filter_map(count).min();
        (least.unwrap_or(0), most.unwrap_or(usize::MAX))
    }

    /// Returns the strings in a list.
    pub(super) fn texts(&self, keyword: &str) -> impl Iterator<Item = &'a str> {
        let lists = self.all(keyword).filter_map(Value::as_array);
        lists.flatten().filter_map(Value::as_str)
    }

    /// Returns the required fields.
    pub(super) fn required(&self) -> BTreeSet<&'a str> {
        self.texts("required").collect()
    }

    /// Returns the forbidden fields.
    pub(super) fn avoided(&self) -> &BTreeSet<&'a str> {
        &self.avoided
    }

    /// Returns the possible fields, sorted.
    pub(super) fn properties(&self) -> BTreeSet<&'a str> {
        let all = self.all("properties").filter_map(Value::as_object);
        all.flat_map(Map::keys).map(String::as_str).collect()
    }

    /// Returns a field.
    pub(super) fn property(&self, name: &str) -> Self {
        Self::of(self.all("properties").filter_map(|all| all.get(name)))
    }

    /// Returns the schema of list elements or map values.
    pub(super) fn inner(&self, keyword: &str) -> Option<Self> {
        let inner = Self::of(self.all(keyword));
        (!inner.schemas.is_empty()).then_some(inner)
    }
}

/// Returns the schemas in a list.
fn objects<'a>(
    schema: &'a Keywords,
    keyword: &str,
) -> impl Iterator<Item = &'a Keywords> + use<'a> {
    let list = schema.get(keyword).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_object)
}

/// Returns the fields that a schema requires.
fn names(schema: &Keywords) -> impl Iterator<Item = &str> {
    let list = schema.get("required").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}
