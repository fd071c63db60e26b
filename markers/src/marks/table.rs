//! The table of markers.
//!
//! A marker has a name, a usage, allowed positions, and a parser that stores its value. A new marker is a new row.
//! Which type it fits is in [`kb_model::fit`].

use serde_json::Number;

use super::parsed::{ParsedMarkers, Place};
use super::readers;
use crate::attribute::Argument;
use crate::errors::Errors;

/// A marker.
pub(super) struct Marker {
    pub(super) name: &'static str,
    /// Usage.
    pub(super) usage: &'static str,
    pub(super) places: &'static [Place],
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
    Own(fn(&mut ParsedMarkers, &Argument, &mut Errors) -> syn::Result<()>),
}

use Place::{Content, Element, Field, Kind, Type};

const VALUES: &[Place] = &[Type, Field, Content, Element];
const FIELDS: &[Place] = &[Field];
const FIELDS_AND_CONTENTS: &[Place] = &[Field, Content];
const TYPES_AND_KINDS: &[Place] = &[Type, Kind];
const EVERYWHERE: &[Place] = &[Kind, Type, Field, Content, Element];

/// Returns the markers allowed at a position.
pub(crate) fn names(place: Place) -> impl Iterator<Item = &'static str> {
    let there = MARKERS
        .iter()
        .filter(move |marker| marker.places.contains(&place));
    there.map(|marker| marker.name)
}

/// Finds a marker by name.
pub(super) fn marker(name: &str) -> Option<&'static Marker> {
    MARKERS.iter().find(|marker| marker.name == name)
}

const fn row(
    name: &'static str,
    usage: &'static str,
    places: &'static [Place],
    reader: Reader,
) -> Marker {
    let repeats = false;
    Marker {
        name,
        usage,
        places,
        repeats,
        reader,
    }
}

const fn flag(
    name: &'static str,
    places: &'static [Place],
    slot: fn(&mut ParsedMarkers) -> &mut bool,
) -> Marker {
    row(name, name, places, Reader::Flag(slot))
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

const fn own(
    name: &'static str,
    usage: &'static str,
    places: &'static [Place],
    read: fn(&mut ParsedMarkers, &Argument, &mut Errors) -> syn::Result<()>,
) -> Marker {
    row(name, usage, places, Reader::Own(read))
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
    own("pattern", r#"pattern = "^[a-z]+$""#, VALUES, readers::pattern),
    own("format", r#"format = "date-time""#, VALUES, readers::format),
    count("min_items", "min_items = 1", |s| &mut s.plain_mut().min_items),
    count("max_items", "max_items = 10", |s| &mut s.plain_mut().max_items),
    count("min_properties", "min_properties = 1", |s| &mut s.plain_mut().min_properties),
    count("max_properties", "max_properties = 10", |s| &mut s.plain_mut().max_properties),
    own("enum", r#"enum = ["a", "b"]"#, VALUES, readers::enum_values),
    row("title", r#"title = "text""#, EVERYWHERE, Reader::Text(|s| &mut s.plain_mut().title)),
    own("example", r#"example = "text""#, VALUES, readers::example),
    own("external_docs", r#"external_docs(url = "https://..", description = "..")"#, EVERYWHERE, readers::external_docs),
    flag("nullable", &[Field, Content, Element], |s| &mut s.plain_mut().nullable),
    flag("preserve_unknown_fields", VALUES, |s| &mut s.plain_mut().preserve_unknown_fields),
    flag("embedded_resource", VALUES, |s| &mut s.plain_mut().embedded_resource),
    flag("int_or_string", VALUES, |s| &mut s.plain_mut().int_or_string),
    own("schema_type", r#"schema_type = "string""#, VALUES, readers::schema_type),
    own("list_type", r#"list_type = "set""#, VALUES, readers::list_type),
    repeated(own("list_map_key", r#"list_map_key = "name""#, VALUES, readers::list_map_key)),
    own("map_type", r#"map_type = "atomic""#, VALUES, readers::map_type),
    own("struct_type", r#"struct_type = "atomic""#, VALUES, readers::map_type),
    own("items", "items(min_length = 1)", VALUES, readers::items),
    own("values", "values(min_length = 1)", VALUES, readers::values),
    repeated(own("cel", r#"cel("self.a < self.b", message = "..")"#, EVERYWHERE, readers::cel)),
    repeated(own("at_most_one_of", "at_most_one_of(a, b)", TYPES_AND_KINDS, readers::at_most_one_of)),
    repeated(own("exactly_one_of", "exactly_one_of(a, b)", TYPES_AND_KINDS, readers::exactly_one_of)),
    repeated(own("at_least_one_of", "at_least_one_of(a, b)", TYPES_AND_KINDS, readers::at_least_one_of)),
    own("default", "default = 1", FIELDS, readers::default),
    flag("required", FIELDS, |s| &mut s.flags.required),
    flag("optional", FIELDS, |s| &mut s.flags.optional),
    flag("schemaless", FIELDS_AND_CONTENTS, |s| &mut s.flags.schemaless),
    flag("json_schema", FIELDS_AND_CONTENTS, |s| &mut s.flags.json_schema),
    flag("allow_float", FIELDS_AND_CONTENTS, |s| &mut s.flags.allow_float),
    flag("immutable", FIELDS, |s| &mut s.flags.immutable),
    flag("selectable", FIELDS, |s| &mut s.flags.selectable),
    repeated(own("column", r#"column(name = "Ready")"#, FIELDS, readers::column)),
    own("scale", "scale(replicas)", FIELDS, readers::scale),
    own("lossy", r#"lossy = "reason""#, FIELDS, readers::lossy),
];
