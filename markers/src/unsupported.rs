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
            errors.helped(
                ty,
                "`()` holds nothing, so it has no schema",
                "leave the field out",
            );
        }
        Type::Tuple(_) => errors.helped(
            ty,
            "a tuple has no schema: Kubernetes' lists are of one type",
            "write a struct with named fields",
        ),
        Type::FnPtr(_) => errors.at(ty, "a function has no JSON form"),
        Type::Ptr(_) => errors.at(ty, "a pointer has no JSON form"),
        Type::Never(_) => errors.at(ty, "`!` has no values"),
        Type::ImplTrait(_) | Type::Infer(_) => errors.at(ty, "a field needs a type with a name"),
        Type::TraitObject(_) => errors.helped(
            ty,
            "a trait object has no schema",
            "write an enum with a variant for each type",
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
        "write `String`".to_owned()
    } else {
        format!("write `{}`", text(&reference.elem))
    };
    errors.helped(reference, "an API owns its values: no references", help);
}

fn check_path(path: &TypePath, allow_float: bool, errors: &mut Errors) {
    if let Some((problem, help)) = refused_by_path(path) {
        return errors.helped(path, problem, help);
    }
    let Some(segment) = std_segment(path) else {
        return;
    };
    match segment.ident.to_string().as_str() {
        "f32" | "f64" if !allow_float => errors.helped(
            path,
            "a float reads differently in every language, so an API avoids it",
            "use an integer of a smaller unit, or a string; if it must be, add `#[kb(allow_float)]`",
        ),
        name @ ("i128" | "u128") => {
            let problem = format!("`{name}` is beyond the numbers of JSON");
            errors.helped(path, problem, "use `i64`, or a string");
        }
        "PhantomData" => errors.helped(
            path,
            "`PhantomData` holds nothing, so it has no schema",
            "add `#[serde(skip)]`",
        ),
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
        let problem = format!(
            "the key of a map is a string in JSON, and this is {}",
            with_article(key)
        );
        let map = segment.ident.to_string();
        let value = text(value);
        errors.helped(key, problem, format_args!("write `{map}<String, {value}>`"));
    }
    check(value, allow_float, errors);
}

fn is_tuple(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(_))
}

/// Types of the standard library with an unexpected JSON form, by path.
fn refused_by_path(path: &TypePath) -> Option<(String, &'static str)> {
    let first = path.path.segments.first()?;
    if first.ident != "std" && first.ident != "core" {
        return None;
    }
    let text = text(&path.path);
    let name = text.trim_start_matches("::");
    match name {
        "std::time::Duration" | "core::time::Duration" => Some((
            format!("`{name}` is an object of seconds and nanoseconds in JSON"),
            "write `kb::Duration`, which is a string such as \"1h30m\"",
        )),
        "std::time::SystemTime" | "std::time::Instant" => Some((
            format!("`{name}` is no time that Kubernetes reads"),
            "write `Time` of `k8s_openapi::apimachinery::pkg::apis::meta::v1`",
        )),
        _ => None,
    }
}
