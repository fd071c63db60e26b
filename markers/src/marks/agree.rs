//! Marks that contradict each other, whatever the type.

use kb_model::api::ListType;
use serde_json::Number;

use super::said::{Said, Written};
use crate::errors::Errors;

/// Adds an error for each contradiction, among the marks of elements and values, too.
pub(crate) fn agree(said: &Said, errors: &mut Errors) {
    bounds(said, errors);
    counts(said, errors);
    lists(said, errors);
    alternatives(said, errors);
    for below in [&said.items, &said.values].into_iter().flatten() {
        agree(below, errors);
    }
}

fn bounds(said: &Said, errors: &mut Errors) {
    let marks = said.plain();
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
            && let Some(written) = said.find(flag)
        {
            let problem = format!("`{flag}` needs `{bound}` beside it");
            let help = format!("write `{bound} = 0, {flag}`");
            errors.helped(&written.ident, problem, help);
        }
    }
    if let (Some(least), Some(most)) = (
        as_float(marks.minimum.as_ref()),
        as_float(marks.maximum.as_ref()),
    ) {
        let exclusive = marks.exclusive_minimum || marks.exclusive_maximum;
        if least > most || (exclusive && least >= most) {
            crossed(said, ("minimum", "maximum"), least > most, errors);
        }
    }
    if as_float(marks.multiple_of.as_ref()).is_some_and(|step| step <= 0.0)
        && let Some(written) = said.find("multiple_of")
    {
        errors.at(written.value_or_name(), "`multiple_of` must be above 0");
    }
}

fn as_float(number: Option<&Number>) -> Option<f64> {
    number.and_then(Number::as_f64)
}

fn counts(said: &Said, errors: &mut Errors) {
    let marks = said.plain();
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
            crossed(said, (least_name, most_name), true, errors);
        }
    }
}

fn crossed(said: &Said, (least, most): (&str, &str), is_above: bool, errors: &mut Errors) {
    let Some(written) = said.find(least) else {
        return;
    };
    let problem = if is_above {
        format!("`{least}` is above `{most}`")
    } else {
        format!("`{least}` and `{most}` leave nothing between them")
    };
    errors.at(written.value_or_name(), problem);
}

fn lists(said: &Said, errors: &mut Errors) {
    let marks = said.plain();
    match (marks.list_type, marks.list_map_keys.is_empty()) {
        (Some(ListType::Map), true) => {
            if let Some(written) = said.find("list_type") {
                let problem = "a list that is a map needs a key";
                let help =
                    "add `list_map_key = \"name\"`: the field of its elements that names them";
                errors.helped(written.value_or_name(), problem, help);
            }
        }
        (Some(ListType::Atomic | ListType::Set), false) => {
            if let Some(written) = said.find("list_map_key") {
                let problem =
                    "`list_map_key` makes the list a map, and `list_type` says another thing";
                errors.helped(&written.ident, problem, "leave one of them out");
            }
        }
        _ => {}
    }
}

/// Pairs of which only one can be said.
fn alternatives(said: &Said, errors: &mut Errors) {
    let flags = &said.flags;
    let marks = said.plain();
    let typed = marks.schema_type.is_some();
    let mut one_of = |both: bool, first: &str, second: &str| {
        if both && let Some(later) = later(said, first, second) {
            let problem = format!("`{first}` and `{second}` contradict each other");
            errors.helped(&later.ident, problem, "leave one of them out");
        }
    };
    one_of(flags.required && flags.optional, "required", "optional");
    one_of(
        flags.schemaless && flags.json_schema,
        "schemaless",
        "json_schema",
    );
    one_of(typed && flags.json_schema, "schema_type", "json_schema");
    one_of(typed && marks.int_or_string, "schema_type", "int_or_string");
    one_of(
        marks.int_or_string && flags.json_schema,
        "int_or_string",
        "json_schema",
    );
    one_of(true, "map_type", "struct_type");
}

fn later<'a>(said: &'a Said, first: &str, second: &str) -> Option<&'a Written> {
    said.find(first)?;
    said.find(second)?;
    let mut both = said.written.iter().rev();
    both.find(|written| written.name == first || written.name == second)
}
