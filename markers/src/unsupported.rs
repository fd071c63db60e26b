//! Rejects types without schema, as far as the syntax reveals.

use syn::{PathSegment, Type, TypePath, TypeReference};

use crate::errors::Errors;
use crate::type_syntax::{Form, form, std_segment, text, type_arguments, with_article};

/// Reports each part of a type without schema.
pub(crate) fn check(ty: &Type, allow_float: bool, errors: &mut Errors) {
    match ty {
        Type::Group(group) => check(&group.elem, allow_float, errors),
        Type::Paren(paren) => check(&paren.elem, allow_float, errors),
        Type::Slice(slice) => check(&slice.elem, allow_float, errors),
        Type::Array(array) => check(&array.elem, allow_float, errors),
        Type::Reference(reference) => check_reference(reference, errors),
        Type::Path(path) => check_path(path, allow_float, errors),
        Type::Tuple(tuple) if tuple.elems.is_empty() => {
            errors.at_with_help(ty, "`()` has no schema", "remove the field");
        }
        Type::Tuple(_) => errors.at_with_help(
            ty,
            "tuples have no schema: list elements must have a single type",
            "use a struct with named fields",
        ),
        Type::FnPtr(_) => errors.at(ty, "functions cannot be serialized"),
        Type::Ptr(_) => errors.at(ty, "raw pointers cannot be serialized"),
        Type::Never(_) => errors.at(ty, "`!` has no values"),
        Type::ImplTrait(_) | Type::Infer(_) => errors.at(ty, "expected a concrete type"),
        Type::TraitObject(_) => errors.at_with_help(
            ty,
            "trait objects have no schema",
            "use an enum with a variant for each type",
        ),
        // A macro can expand to anything.
        _ => {}
    }
}

fn check_reference(reference: &TypeReference, errors: &mut Errors) {
    let is_static = reference
        .lifetime
        .as_ref()
        .is_some_and(|lifetime| lifetime.ident == "static");
    let is_str = matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("str"));
    if is_str && is_static && reference.mutability.is_none() {
        return;
    }
    let help = if is_str {
        "use `String`".to_owned()
    } else {
        format!("use `{}`", text(&reference.elem))
    };
    errors.at_with_help(reference, "references are not supported in APIs", help);
}

fn check_path(path: &TypePath, allow_float: bool, errors: &mut Errors) {
    if let Some((problem, help)) = rejectd_by_path(path) {
        return errors.at_with_help(path, problem, help);
    }
    let Some(segment) = std_segment(path) else {
        return;
    };
    match segment.ident.to_string().as_str() {
        "f32" | "f64" if !allow_float => errors.at_with_help(
            path,
            "floats are discouraged in APIs: their precision varies across languages",
            "use an integer with a smaller unit or a string, or add `#[kb(allow_float)]`",
        ),
        name @ ("i128" | "u128") => {
            let problem = format!("`{name}` exceeds the range of JSON numbers");
            errors.at_with_help(path, problem, "use `i64` or a string");
        }
        "PhantomData" => {
            errors.at_with_help(path, "`PhantomData` has no schema", "add `#[serde(skip)]`");
        }
        "BTreeMap" | "HashMap" => check_map(segment, allow_float, errors),
        "Option" | "Box" | "Arc" | "Rc" | "Cow" | "Vec" | "VecDeque" | "BTreeSet" | "HashSet" => {
            for inner in type_arguments(segment) {
                check(inner, allow_float, errors);
            }
        }
        _ => {}
    }
}

fn check_map(segment: &PathSegment, allow_float: bool, errors: &mut Errors) {
    let arguments = type_arguments(segment);
    let [key, value, ..] = arguments[..] else {
        return;
    };
    if !matches!(form(key), Form::Text | Form::Unknown) || is_tuple(key) {
        let problem = format!("map keys must be strings, found {}", with_article(key));
        let map = segment.ident.to_string();
        let value = text(value);
        errors.at_with_help(key, problem, format_args!("use `{map}<String, {value}>`"));
    }
    check(value, allow_float, errors);
}

fn is_tuple(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(_))
}

/// Types of the standard library with an unexpected JSON form, by path.
fn rejectd_by_path(path: &TypePath) -> Option<(String, &'static str)> {
    let first = path.path.segments.first()?;
    if first.ident != "std" && first.ident != "core" {
        return None;
    }
    let text = text(&path.path);
    let name = text.trim_start_matches("::");
    match name {
        "std::time::Duration" | "core::time::Duration" => Some((
            format!("`{name}` serializes as an object of seconds and nanoseconds"),
            "use `kb::Duration`, which serializes as a string such as \"1h30m\"",
        )),
        "std::time::SystemTime" | "std::time::Instant" => Some((
            format!("`{name}` does not serialize as a Kubernetes timestamp"),
            "use `k8s_openapi::apimachinery::pkg::apis::meta::v1::Time`",
        )),
        _ => None,
    }
}
