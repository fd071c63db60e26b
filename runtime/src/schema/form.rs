//! JSON form of a type, for the marker checks at compile time.

use kb_model::fit;

/// JSON form of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Any JSON value.
    Any,
    /// `true` or `false`.
    Boolean,
    /// An integer.
    Integer,
    /// `f32` or `f64`, which need `#[kb(allow_float)]`.
    Float,
    /// A number declared by a marker.
    Number,
    /// A string.
    String,
    /// An integer or a string.
    IntOrString,
    /// A list of such elements.
    List(&'static Form),
    /// A map with such values.
    Map(&'static Form),
    /// An object with known properties.
    Object,
    /// An object whose schema has no properties.
    OpenObject,
    /// A newtype whose content has `#[kb(allow_float)]`.
    AllowFloat(&'static Form),
    /// Not known at compile time: no marker is checked.
    Unknown,
}

impl Form {
    /// Returns the form for the table of markers and types; `None` if it is unknown.
    pub const fn json(self) -> Option<fit::Form> {
        Some(match self {
            Self::Any => fit::Form::Any,
            Self::Boolean => fit::Form::Boolean,
            Self::Integer => fit::Form::Integer,
            Self::Float | Self::Number => fit::Form::Number,
            Self::String => fit::Form::String,
            Self::IntOrString => fit::Form::IntOrString,
            Self::List(_) => fit::Form::List,
            Self::Map(_) => fit::Form::Map,
            Self::Object => fit::Form::Object,
            Self::OpenObject => fit::Form::OpenObject,
            Self::AllowFloat(content) => return content.json(),
            Self::Unknown => return None,
        })
    }

    /// Returns the form of the elements of a list.
    #[must_use]
    pub const fn elements(self) -> Self {
        match self {
            Self::List(elements) => *elements,
            Self::AllowFloat(content) => content.elements(),
            _ => Self::Unknown,
        }
    }

    /// Returns the form of the values of a map.
    #[must_use]
    pub const fn values(self) -> Self {
        match self {
            Self::Map(values) => *values,
            Self::OpenObject => Self::Any,
            Self::AllowFloat(content) => content.values(),
            _ => Self::Unknown,
        }
    }

    /// Returns whether it contains a float that is not allowed.
    pub const fn has_float(self) -> bool {
        match self {
            Self::Float => true,
            Self::List(content) | Self::Map(content) => content.has_float(),
            _ => false,
        }
    }
}
