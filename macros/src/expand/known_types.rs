//! Recognizes std types by name. kb-markers has checked their markers, so no checks are generated for them.

use syn::{GenericArgument, PathArguments, PathSegment, Type, TypePath};

/// Types without arguments.
const PLAIN: [&str; 16] = [
    "bool", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "f32", "f64",
    "String", "str", "char",
];
/// Collections: they always implement `Default`.
const COLLECTIONS: [&str; 6] = [
    "Vec", "VecDeque", "BTreeMap", "BTreeSet", "HashMap", "HashSet",
];
/// Wrappers that serialize as their content.
const TRANSPARENT: [&str; 5] = ["Option", "Box", "Arc", "Rc", "Cow"];

/// Returns whether the type consists of std types.
pub(crate) fn is_known(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_known(&group.elem),
        Type::Paren(paren) => is_known(&paren.elem),
        Type::Slice(slice) => is_known(&slice.elem),
        Type::Array(array) => is_known(&array.elem),
        Type::Path(path) => name(path).is_some_and(|segment| {
            let is = |names: &[&str]| names.iter().any(|name| segment.ident == name);
            is(&PLAIN) || (is(&COLLECTIONS) || is(&TRANSPARENT)) && arguments(segment).all(is_known)
        }),
        _ => false,
    }
}

/// Returns whether it implements `Default` for any arguments.
pub(crate) fn has_default(ty: &Type) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    let names = PLAIN.iter().chain(&COLLECTIONS).chain(&["Option"]);
    name(path).is_some_and(|segment| names.into_iter().any(|name| segment.ident == name))
}

/// Returns the segment of a path with only one.
fn name(path: &TypePath) -> Option<&PathSegment> {
    let segments = &path.path.segments;
    let alone = path.qself.is_none() && path.path.leading_colon.is_none() && segments.len() == 1;
    segments.first().filter(|_| alone)
}

fn arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    let arguments = arguments.into_iter().flatten();
    arguments.filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
