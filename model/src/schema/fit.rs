//! What marks need of the value they stand on.
//!
//! The question is asked of the resolved schema, so a mark sees through options, aliases and newtypes. The words for it are
//! those of the reader, which asks the same of types that it knows by their names.

use super::node::{Keywords, is_int_or_string, type_of};

/// A demand on a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Integers or numbers.
    Number,
    /// Strings, also those beside integers.
    Text,
    /// Lists.
    List,
    /// Objects, maps among them.
    Object,
    /// Maps.
    Map,
    /// Objects with names of their own.
    Resource,
    /// Whatever can have unknown fields.
    Open,
}

impl Need {
    pub(super) fn is_met(self, keywords: &Keywords) -> bool {
        let name = type_of(keywords);
        match self {
            Self::Number => matches!(name, "integer" | "number"),
            Self::Text => name == "string" || is_int_or_string(keywords),
            Self::List => name == "array",
            Self::Object => name == "object",
            Self::Map => {
                name == "object"
                    && (keywords.contains_key("additionalProperties")
                        || !keywords.contains_key("properties"))
            }
            Self::Resource => {
                matches!(name, "object" | "") && !keywords.contains_key("additionalProperties")
            }
            Self::Open => matches!(name, "object" | "array" | "") && !is_int_or_string(keywords),
        }
    }

    /// For messages: "`minimum` needs a number".
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Text => "a string",
            Self::List => "a list",
            Self::Object | Self::Open => "an object",
            Self::Map => "a map",
            Self::Resource => "an object with fields",
        }
    }
}
