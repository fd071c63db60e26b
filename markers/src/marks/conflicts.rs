//! Checks for markers that contradict each other, whatever the type.

use kb_model::api::ListType;
use serde_json::Number;

use super::parsed::{MarkerEntry, ParsedMarkers};
use crate::errors::Errors;

/// Reports contradictions, also among markers of elements and values.
pub(crate) fn check_conflicts(markers: &ParsedMarkers, errors: &mut Errors) {
    bounds(markers, errors);
    counts(markers, errors);
    lists(markers, errors);
    exclusive_pairs(markers, errors);
    for inner in [&markers.items, &markers.values].into_iter().flatten() {
        check_conflicts(inner, errors);
    }
}

fn bounds(markers: &ParsedMarkers, errors: &mut Errors) {
    let marks = markers.plain();
    for (flag, is_set, bound, is_given) in [
        (
            "exclusive_minimum",
            marks.exclusive_minimum,
            "minimum",
            marks.minimum.is_some(),
        ),
        (
            "exclusive_maximum",
            marks.exclusive_maximum,
            "maximum",
            marks.maximum.is_some(),
        ),
    ] {
        if is_set
            && !is_given
            && let Some(entry) = markers.find(flag)
        {
            let problem = format!("`{flag}` requires `{bound}`");
            let help = format!("use `{bound} = 0, {flag}`");
            errors.at_with_help(&entry.ident, problem, help);
        }
    }
    if let (Some(least), Some(most)) = (
        as_float(marks.minimum.as_ref()),
        as_float(marks.maximum.as_ref()),
    ) {
        let exclusive = marks.exclusive_minimum || marks.exclusive_maximum;
        if least > most || (exclusive && least >= most) {
            report_empty_range(markers, ("minimum", "maximum"), least > most, errors);
        }
    }
    if as_float(marks.multiple_of.as_ref()).is_some_and(|step| step <= 0.0)
        && let Some(entry) = markers.find("multiple_of")
    {
        errors.at(
            entry.value_or_name(),
            "`multiple_of` must be greater than 0",
        );
    }
}

fn as_float(number: Option<&Number>) -> Option<f64> {
    number.and_then(Number::as_f64)
}

fn counts(markers: &ParsedMarkers, errors: &mut Errors) {
    let marks = markers.plain();
    for (least, least_name, most, most_name) in [
        (
            marks.min_length,
            "min_length",
            marks.max_length,
            "max_length",
        ),
        (marks.min_items, "min_items", marks.max_items, "max_items"),
        (
            marks.min_properties,
            "min_properties",
            marks.max_properties,
            "max_properties",
        ),
    ] {
        if least.zip(most).is_some_and(|(least, most)| least > most) {
            report_empty_range(markers, (least_name, most_name), true, errors);
        }
    }
}

fn report_empty_range(
    markers: &ParsedMarkers,
    (least, most): (&str, &str),
    is_above: bool,
    errors: &mut Errors,
) {
    let Some(entry) = markers.find(least) else {
        return;
    };
    let problem = if is_above {
        format!("`{least}` is greater than `{most}`")
    } else {
        format!("no value satisfies both `{least}` and `{most}`")
    };
    errors.at(entry.value_or_name(), problem);
}

fn lists(markers: &ParsedMarkers, errors: &mut Errors) {
    let marks = markers.plain();
    match (marks.list_type, marks.list_map_keys.is_empty()) {
        (Some(ListType::Map), true) => {
            if let Some(entry) = markers.find("list_type") {
                let problem = "`list_type = \"map\"` requires `list_map_key`";
                let help =
                    "add `list_map_key = \"name\"` with the field that identifies an element";
                errors.at_with_help(entry.value_or_name(), problem, help);
            }
        }
        (Some(ListType::Atomic | ListType::Set), false) => {
            if let Some(entry) = markers.find("list_map_key") {
                let problem = "`list_map_key` requires `list_type = \"map\"`";
                errors.at_with_help(&entry.ident, problem, "remove one of them");
            }
        }
        _ => {}
    }
}

/// Mutually exclusive pairs.
fn exclusive_pairs(markers: &ParsedMarkers, errors: &mut Errors) {
    let flags = &markers.flags;
    let marks = markers.plain();
    let typed = marks.schema_type.is_some();
    let mut exclude = |both: bool, first: &str, second: &str| {
        if both && let Some(later) = later(markers, first, second) {
            let problem = format!("`{first}` conflicts with `{second}`");
            errors.at_with_help(&later.ident, problem, "remove one of them");
        }
    };
    exclude(flags.required && flags.optional, "required", "optional");
    exclude(
        flags.schemaless && flags.json_schema,
        "schemaless",
        "json_schema",
    );
    exclude(typed && flags.json_schema, "schema_type", "json_schema");
    exclude(typed && marks.int_or_string, "schema_type", "int_or_string");
    exclude(
        marks.int_or_string && flags.json_schema,
        "int_or_string",
        "json_schema",
    );
    exclude(true, "map_type", "struct_type");
}

fn later<'a>(markers: &'a ParsedMarkers, first: &str, second: &str) -> Option<&'a MarkerEntry> {
    markers.find(first)?;
    markers.find(second)?;
    let mut both = markers.entries.iter().rev();
    both.find(|entry| entry.name == first || entry.name == second)
}
