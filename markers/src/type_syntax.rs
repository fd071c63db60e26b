//! What the syntax of a type reveals, without name resolution.
//!
//! Recognizes `String`, `i32`, `Option<Vec<String>>` etc. by their last path segment, alone or in std, alloc or core. Anything else may be an
//! alias or an API type: it is [`Form::Unknown`] and left to the resolver.

use kb_model::fit;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{GenericArgument, Generics, PathArguments, PathSegment, Type, TypePath};

/// JSON form of a type, ignoring `Option`, `Box` etc.
#[derive(Clone, Copy)]
pub(crate) enum Form<'a> {
    /// Any JSON value.
    Any,
    /// `bool`.
    Bool,
    /// An integer, with its name.
    Integer(&'static str),
    /// `f32`, `f64`.
    Float,
    /// `String`, `str`, `char`, or an enum of names.
    Text,
    /// A list, set or array, with its element type if written.
    List(Option<&'a Type>),
    /// A map, with its key and value types if written.
    Map(Option<(&'a Type, &'a Type)>),
    /// A struct, or an enum with data.
    Object,
    /// `schema_type = "object"`.
    OpenObject,
    /// `int_or_string`.
    IntOrString,
    /// A name that needs resolution.
    Unknown,
}

impl Form<'_> {
    /// Returns the form for the table of markers and types; `None` if it is unknown.
    pub(crate) fn json(self) -> Option<fit::Form> {
        Some(match self {
            Self::Any => fit::Form::Any,
            Self::Bool => fit::Form::Boolean,
            Self::Integer(_) => fit::Form::Integer,
            Self::Float => fit::Form::Number,
            Self::Text => fit::Form::String,
            Self::List(_) => fit::Form::List,
            Self::Map(_) => fit::Form::Map,
            Self::Object => fit::Form::Object,
            Self::OpenObject => fit::Form::OpenObject,
            Self::IntOrString => fit::Form::IntOrString,
            Self::Unknown => return None,
        })
    }
}

/// Integer types, with the bounds that a marker can exceed.
pub(crate) const INTEGERS: [(&str, i128, i128); 12] = [
    ("i8", i8::MIN as i128, i8::MAX as i128),
    ("i16", i16::MIN as i128, i16::MAX as i128),
    ("i32", i32::MIN as i128, i32::MAX as i128),
    ("i64", i64::MIN as i128, i64::MAX as i128),
    ("i128", i128::MIN, i128::MAX),
    ("isize", i64::MIN as i128, i64::MAX as i128),
    ("u8", 0, u8::MAX as i128),
    ("u16", 0, u16::MAX as i128),
    ("u32", 0, u32::MAX as i128),
    ("u64", 0, u64::MAX as i128),
    ("u128", 0, i128::MAX),
    ("usize", 0, u64::MAX as i128),
];

/// Returns the JSON form of a type.
pub(crate) fn form(ty: &Type) -> Form<'_> {
    match ty {
        Type::Group(group) => form(&group.elem),
        Type::Paren(paren) => form(&paren.elem),
        Type::Reference(reference) => form(&reference.elem),
        Type::Slice(slice) => Form::List(Some(&slice.elem)),
        Type::Array(array) => Form::List(Some(&array.elem)),
        Type::Path(path) => std_segment(path).map_or(Form::Unknown, form_of_segment),
        _ => Form::Unknown,
    }
}

fn form_of_segment(segment: &PathSegment) -> Form<'_> {
    let name = segment.ident.to_string();
    let arguments = type_arguments(segment);
    match name.as_str() {
        "bool" => Form::Bool,
        "f32" | "f64" => Form::Float,
        "String" | "str" | "char" => Form::Text,
        "Option" | "Box" | "Arc" | "Rc" | "Cow" => match arguments[..] {
            [inner] => form(inner),
            _ => Form::Unknown,
        },
        "Vec" | "VecDeque" | "BTreeSet" | "HashSet" => Form::List(arguments.first().copied()),
        "BTreeMap" | "HashMap" => Form::Map(match arguments[..] {
            [key, value, ..] => Some((key, value)),
            _ => None,
        }),
        name => INTEGERS
            .iter()
            .find(|(known, ..)| *known == name)
            .map_or(Form::Unknown, |(known, ..)| Form::Integer(known)),
    }
}

/// Returns whether the type is an `Option`.
pub(crate) fn is_option(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_option(&group.elem),
        Type::Paren(paren) => is_option(&paren.elem),
        Type::Path(path) => std_segment(path).is_some_and(|segment| segment.ident == "Option"),
        _ => false,
    }
}

/// Returns whether the type is certainly not an `Option`, not even an alias of one.
pub(crate) fn is_never_option(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_never_option(&group.elem),
        Type::Paren(paren) => is_never_option(&paren.elem),
        Type::Path(path) => {
            std_segment(path).is_some_and(|segment| match segment.ident.to_string().as_str() {
                "Option" => false,
                "Box" | "Arc" | "Rc" | "Cow" => type_arguments(segment)
                    .first()
                    .is_some_and(|inner| is_never_option(inner)),
                _ => !matches!(form_of_segment(segment), Form::Unknown),
            })
        }
        _ => true,
    }
}

/// Returns the last segment of a single-segment path or a path into the standard library.
pub(crate) fn std_segment(path: &TypePath) -> Option<&PathSegment> {
    let segments = &path.path.segments;
    let first = segments.first()?;
    let alone = segments.len() == 1 && path.path.leading_colon.is_none();
    let standard =
        segments.len() > 1 && ["std", "core", "alloc"].iter().any(|of| first.ident == of);
    (path.qself.is_none() && (alone || standard))
        .then(|| segments.last())
        .flatten()
}

/// Returns the type arguments of a segment.
pub(crate) fn type_arguments(segment: &PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return Vec::new();
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

/// Returns whether the type uses a type parameter of the item.
pub(crate) fn mentions_parameter(ty: &Type, generics: &Generics) -> bool {
    struct Search<'a> {
        generics: &'a Generics,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            let first = path.segments.first();
            self.found |= first.is_some_and(|first| {
                self.generics
                    .type_params()
                    .any(|parameter| parameter.ident == first.ident)
            });
            visit::visit_path(self, path);
        }
    }
    let mut search = Search {
        generics,
        found: false,
    };
    search.visit_type(ty);
    search.found
}

/// Formats a type with its article: `a Vec<String>`, `an i32`.
pub(crate) fn with_article(ty: &Type) -> String {
    let text = text(ty);
    let vowel = text.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']);
    let an = vowel || ["f32", "f64"].contains(&text.as_str());
    format!("{} {text}", if an { "an" } else { "a" })
}

/// Formats the tokens of a type or path without extra spaces.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (blank, tight) in [
        (" < ", "<"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" ,", ","),
        (" ;", ";"),
        ("& ", "&"),
    ] {
        text = text.replace(blank, tight);
    }
    text
}
