//! The table of markers.
//!
//! A marker has a name, a usage, allowed positions, and a parser that stores its value. A new marker is a new row.
//! Which type it fits is in [`kb_model::fit`].

use serde_json::Number;

use super::parsed::{ParsedMarkers, Target};
use super::readers;
use crate::attribute::Argument;
use crate::errors::Errors;

/// A marker.
pub(super) struct Marker {
    pub(super) name: &'static str,
    /// Usage.
    pub(super) usage: &'static str,
    pub(super) targets: &'static [Target],
    /// Whether it is repeatable.
    pub(super) repeats: bool,
    pub(super) reader: Reader,
}

/// Parser of a marker's value.
pub(super) enum Reader {
    /// Flag: nothing, `= true` or `= false`.
    Flag(fn(&mut ParsedMarkers) -> &mut bool),
    /// `= 1.5`.
    Number(fn(&mut ParsedMarkers) -> &mut Option<Number>),
    /// `= 1`.
    Count(fn(&mut ParsedMarkers) -> &mut Option<u64>),
    /// `= "text"`.
    Text(fn(&mut ParsedMarkers) -> &mut Option<String>),
    /// Custom parser.
    Custom(fn(&mut ParsedMarkers, &Argument, &mut Errors) -> syn::Result<()>),
}

use Target::{Content, Element, Field, Kind, Type};

const VALUES: &[Target] = &[Type, Field, Content, Element];
const FIELDS: &[Target] = &[Field];
const FIELDS_AND_CONTENTS: &[Target] = &[Field, Content];
const TYPES_AND_KINDS: &[Target] = &[Type, Kind];
const EVERYWHERE: &[Target] = &[Kind, Type, Field, Content, Element];

/// Returns the markers allowed at a position.
pub(crate) fn names(target: Target) -> impl Iterator<Item = &'static str> {
    let allowed = MARKERS
        .iter()
        .filter(move |marker| marker.targets.contains(&target));
    allowed.map(|marker| marker.name)
}

/// Finds a marker by name.
pub(super) fn marker(name: &str) -> Option<&'static Marker> {
    MARKERS.iter().find(|marker| marker.name == name)
}

const fn row(
    name: &'static str,
    usage: &'static str,
    targets: &'static [Target],
    reader: Reader,
) -> Marker {
    let repeats = false;
    Marker {
        name,
        usage,
        targets,
        repeats,
        reader,
    }
}

const fn flag(
    name: &'static str,
    targets: &'static [Target],
    slot: fn(&mut ParsedMarkers) -> &mut bool,
) -> Marker {
    row(name, name, targets, Reader::Flag(slot))
}

const fn number(
    name: &'static str,
    usage: &'static str,
    slot: fn(&mut ParsedMarkers) -> &mut Option<Number>,
) -> Marker {
    row(name, usage, VALUES, Reader::Number(slot))
}

const fn count(
    name: &'static str,
    usage: &'static str,
    slot: fn(&mut ParsedMarkers) -> &mut Option<u64>,
) -> Marker {
    row(name, usage, VALUES, Reader::Count(slot))
}

const fn custom(
    name: &'static str,
    usage: &'static str,
    targets: &'static [Target],
    read: fn(&mut ParsedMarkers, &Argument, &mut Errors) -> syn::Result<()>,
) -> Marker {
    row(name, usage, targets, Reader::Custom(read))
}

const fn repeated(marker: Marker) -> Marker {
    Marker {
        repeats: true,
        ..marker
    }
}

#[rustfmt::skip] // One row a marker.
const MARKERS: &[Marker] = &[
    number("minimum", "minimum = 1", |s| &mut s.plain_mut().minimum),
    number("maximum", "maximum = 10", |s| &mut s.plain_mut().maximum),
    number("multiple_of", "multiple_of = 2", |s| &mut s.plain_mut().multiple_of),
    flag("exclusive_minimum", VALUES, |s| &mut s.plain_mut().exclusive_minimum),
    flag("exclusive_maximum", VALUES, |s| &mut s.plain_mut().exclusive_maximum),
    count("min_length", "min_length = 1", |s| &mut s.plain_mut().min_length),
    count("max_length", "max_length = 63", |s| &mut s.plain_mut().max_length),
    custom("pattern", r#"pattern = "^[a-z]+$""#, VALUES, readers::pattern),
    custom("format", r#"format = "date-time""#, VALUES, readers::format),
    count("min_items", "min_items = 1", |s| &mut s.plain_mut().min_items),
    count("max_items", "max_items = 10", |s| &mut s.plain_mut().max_items),
    count("min_properties", "min_properties = 1", |s| &mut s.plain_mut().min_properties),
    count("max_properties", "max_properties = 10", |s| &mut s.plain_mut().max_properties),
    custom("enum", r#"enum = ["a", "b"]"#, VALUES, readers::enum_values),
    row("title", r#"title = "text""#, EVERYWHERE, Reader::Text(|s| &mut s.plain_mut().title)),
    custom("example", r#"example = "text""#, VALUES, readers::example),
    custom("external_docs", r#"external_docs(url = "https://..", description = "..")"#, EVERYWHERE, readers::external_docs),
    flag("nullable", &[Field, Content, Element], |s| &mut s.plain_mut().nullable),
    flag("preserve_unknown_fields", VALUES, |s| &mut s.plain_mut().preserve_unknown_fields),
    flag("embedded_resource", VALUES, |s| &mut s.plain_mut().embedded_resource),
    flag("int_or_string", VALUES, |s| &mut s.plain_mut().int_or_string),
    custom("schema_type", r#"schema_type = "string""#, VALUES, readers::schema_type),
    custom("list_type", r#"list_type = "set""#, VALUES, readers::list_type),
    repeated(custom("list_map_key", r#"list_map_key = "name""#, VALUES, readers::list_map_key)),
    custom("map_type", r#"map_type = "atomic""#, VALUES, readers::map_type),
    custom("struct_type", r#"struct_type = "atomic""#, VALUES, readers::map_type),
    custom("items", "items(min_length = 1)", VALUES, readers::items),
    custom("values", "values(min_length = 1)", VALUES, readers::values),
    repeated(custom("cel", r#"cel("self.a < self.b", message = "..")"#, EVERYWHERE, readers::cel)),
    repeated(custom("at_most_one_of", "at_most_one_of(a, b)", TYPES_AND_KINDS, readers::at_most_one_of)),
    repeated(custom("exactly_one_of", "exactly_one_of(a, b)", TYPES_AND_KINDS, readers::exactly_one_of)),
    repeated(custom("at_least_one_of", "at_least_one_of(a, b)", TYPES_AND_KINDS, readers::at_least_one_of)),
    custom("default", "default = 1", FIELDS, readers::default),
    flag("required", FIELDS, |s| &mut s.flags.required),
    flag("optional", FIELDS, |s| &mut s.flags.optional),
    flag("schemaless", FIELDS_AND_CONTENTS, |s| &mut s.flags.schemaless),
    flag("json_schema", FIELDS_AND_CONTENTS, |s| &mut s.flags.json_schema),
    flag("allow_float", FIELDS_AND_CONTENTS, |s| &mut s.flags.allow_float),
    flag("immutable", FIELDS, |s| &mut s.flags.immutable),
    flag("selectable", FIELDS, |s| &mut s.flags.selectable),
    repeated(custom("column", r#"column(name = "Ready")"#, FIELDS, readers::column)),
    custom("scale", "scale(replicas)", FIELDS, readers::scale),
    custom("lossy", r#"lossy = "reason""#, FIELDS, readers::lossy),
];
