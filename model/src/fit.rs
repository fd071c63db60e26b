//! Which marker fits which type.
//!
//! This table is shared by the marker parser, the schema builder and the compile-time checks of the macros. The rules are those
//! of controller-gen and of structural schemas. In particular an int-or-string counts as textual and not as numeric.

/// JSON form of a value, as far as markers distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Any JSON value.
    Any,
    /// A boolean.
    Boolean,
    /// An integer.
    Integer,
    /// A number that may have a fraction.
    Number,
    /// A string.
    String,
    /// An integer or a string.
    IntOrString,
    /// A list.
    List,
    /// A map.
    Map,
    /// An object with known properties.
    Object,
    /// An object whose schema has neither properties nor map values.
    OpenObject,
}

impl Form {
    /// Every form.
    pub const ALL: [Self; 10] = [
        Self::Any,
        Self::Boolean,
        Self::Integer,
        Self::Number,
        Self::String,
        Self::IntOrString,
        Self::List,
        Self::Map,
        Self::Object,
        Self::OpenObject,
    ];

    /// Returns the noun phrase for messages: "a string".
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Any => "any JSON value",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::String => "a string",
            Self::IntOrString => "an integer or a string",
            Self::List => "a list",
            Self::Map => "a map",
            Self::Object | Self::OpenObject => "an object",
        }
    }

    /// Returns the pair of markers that bound the size of such a value.
    pub const fn bounds(self) -> Option<[&'static str; 2]> {
        match self {
            Self::Integer | Self::Number => Some(["minimum", "maximum"]),
            Self::String | Self::IntOrString => Some(["min_length", "max_length"]),
            Self::List => Some(["min_items", "max_items"]),
            Self::Map | Self::Object | Self::OpenObject => {
                Some(["min_properties", "max_properties"])
            }
            Self::Any | Self::Boolean => None,
        }
    }

    /// Returns whether a value of this form can be a literal of the form `literal`.
    pub const fn admits(self, literal: Self) -> bool {
        match self {
            Self::Any => true,
            Self::Number => matches!(literal, Self::Integer | Self::Number),
            Self::IntOrString => matches!(literal, Self::Integer | Self::String),
            Self::Map | Self::Object | Self::OpenObject => {
                matches!(literal, Self::Map | Self::Object | Self::OpenObject)
            }
            Self::Boolean => matches!(literal, Self::Boolean),
            Self::Integer => matches!(literal, Self::Integer),
            Self::String => matches!(literal, Self::String),
            Self::List => matches!(literal, Self::List),
        }
    }
}

/// What a marker requires of the type it applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// Nothing.
    None,
    /// An integer or a number.
    Number,
    /// An integer.
    Integer,
    /// A number that may have a fraction: a bound of 1.5.
    Fraction,
    /// A string.
    String,
    /// A string or an int-or-string.
    Text,
    /// A list.
    List,
    /// A map.
    Map,
    /// A map or an object.
    Object,
    /// An object that can be a Kubernetes object.
    Resource,
    /// A value that can have unknown fields.
    Open,
    /// A value that fits into a printer column.
    Scalar,
    /// A value that field selectors can compare.
    Selectable,
    /// A value that integer formats apply to.
    IntegerFormat,
    /// A value that number formats apply to.
    NumberFormat,
    /// A value that string formats apply to.
    StringFormat,
}

impl Requirement {
    /// Returns whether a value of this form meets the requirement.
    pub const fn accepts(self, form: Form) -> bool {
        use Form::{
            Any, Boolean, IntOrString, Integer, List, Map, Number, Object, OpenObject, String,
        };
        match self {
            Self::None => true,
            Self::Number => matches!(form, Integer | Number),
            Self::Integer => matches!(form, Integer),
            Self::Fraction => matches!(form, Number),
            Self::String => matches!(form, String),
            Self::Text => matches!(form, String | IntOrString),
            Self::List => matches!(form, List),
            Self::Map => matches!(form, Map | OpenObject),
            Self::Object => matches!(form, Map | Object | OpenObject),
            Self::Resource => matches!(form, Object | OpenObject | Any),
            Self::Open => matches!(form, List | Map | Object | OpenObject | Any),
            Self::Scalar => matches!(form, Boolean | Integer | Number | String | IntOrString),
            Self::Selectable => matches!(form, Boolean | Integer | String),
            Self::IntegerFormat => matches!(form, Integer | IntOrString | Any),
            Self::NumberFormat => matches!(form, Number | IntOrString | Any),
            Self::StringFormat => matches!(form, String | IntOrString | Any),
        }
    }

    /// Returns the noun phrase for messages: "`minimum` requires a number".
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::None => "any value",
            Self::Number => "a number",
            Self::Integer | Self::IntegerFormat => "an integer",
            Self::Fraction | Self::NumberFormat => "a float",
            Self::String | Self::Text | Self::StringFormat => "a string",
            Self::List => "a list",
            Self::Map => "a map",
            Self::Object => "a map or an object",
            Self::Resource => "an object with fields",
            Self::Open => "an object, a map or a list",
            Self::Scalar => "a string, a number or a boolean",
            Self::Selectable => "a string, an integer or a boolean",
        }
    }
}

/// Markers with a requirement. `format` has its own, by its value: see [`format_requirement`].
const REQUIREMENTS: [(&str, Requirement); 24] = [
    ("minimum", Requirement::Number),
    ("maximum", Requirement::Number),
    ("multiple_of", Requirement::Number),
    ("exclusive_minimum", Requirement::Number),
    ("exclusive_maximum", Requirement::Number),
    ("min_length", Requirement::Text),
    ("max_length", Requirement::Text),
    ("pattern", Requirement::Text),
    ("min_items", Requirement::List),
    ("max_items", Requirement::List),
    ("list_type", Requirement::List),
    ("list_map_key", Requirement::List),
    ("items", Requirement::List),
    ("values", Requirement::Map),
    ("min_properties", Requirement::Object),
    ("max_properties", Requirement::Object),
    ("map_type", Requirement::Object),
    ("struct_type", Requirement::Object),
    ("embedded_resource", Requirement::Resource),
    ("preserve_unknown_fields", Requirement::Open),
    ("column", Requirement::Scalar),
    ("selectable", Requirement::Selectable),
    ("scale(replicas)", Requirement::Integer),
    ("scale(selector)", Requirement::String),
];

/// Returns the requirement of a marker.
pub fn requirement(marker: &str) -> Requirement {
    REQUIREMENTS
        .iter()
        .find(|(name, _)| *name == marker)
        .map_or(Requirement::None, |(_, requirement)| *requirement)
}

/// Returns the markers that have a requirement.
pub fn markers() -> impl Iterator<Item = &'static str> {
    REQUIREMENTS.iter().map(|(name, _)| *name)
}

/// Returns the requirement of `format = "..."`, or `None` for a format that the API server does not know.
pub fn format_requirement(format: &str) -> Option<Requirement> {
    let known = |json_type| formats(json_type).contains(&format);
    if known("integer") {
        Some(Requirement::IntegerFormat)
    } else if known("number") {
        Some(Requirement::NumberFormat)
    } else if known("string") {
        Some(Requirement::StringFormat)
    } else {
        None
    }
}

/// Returns the formats that the API server knows for a JSON type. It ignores any other.
pub fn formats(json_type: &str) -> &'static [&'static str] {
    match json_type {
        "integer" => &["int32", "int64"],
        "number" => &["float", "double"],
        "string" => &STRING_FORMATS,
        _ => &[],
    }
}

const STRING_FORMATS: [&str; 27] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "date-time",
    "datetime",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8s-long-name",
    "k8s-short-name",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];
