//! Reads enums: a list of names, or an object with one of several properties.
//!
//! These are serde's default representations. Others have no structural schema: internally tagged, untagged, and mixed enums.

use kb_model::api::{Shape, Variant, VariantContent};
use serde_derive_internals::ast::{self, Container, Style};
use syn::spanned::Spanned;

use crate::docs::docs;
use crate::errors::Errors;
use crate::field::{self, Owner, report_unused, wire_name};
use crate::item::FieldSpans;
use crate::object::{Collector, MarkedField, MarkedItem};
use crate::serde_attrs::{Keys, WITH};
use crate::shape::{read_fields, reject_tuple};

/// Reads the shape of an enum.
pub(crate) fn read(
    container: &Container,
    variants: &[ast::Variant],
    marked: &MarkedItem,
    collector: &mut Collector,
    errors: &mut Errors,
) -> Shape<usize> {
    reject_tags(container, variants, errors);
    let skipped = |variant: &ast::Variant| {
        variant.attrs.skip_serializing() && variant.attrs.skip_deserializing()
    };
    let kept: Vec<KeptVariant> = variants
        .iter()
        .zip(marked.groups.iter().map(Vec::as_slice))
        .filter(|(variant, group)| {
            if skipped(variant) {
                let because = format!("`{}` is skipped", variant.ident);
                group
                    .iter()
                    .for_each(|field| report_unused(&field.markers, &because, errors));
            }
            !skipped(variant)
        })
        .collect();
    if kept.is_empty() {
        let problem = format!("`{}` has no variants", container.ident);
        errors.at(&container.ident, problem);
    }
    reject_duplicate_names(&kept, errors);
    let is_unit = |(variant, _): &KeptVariant| matches!(variant.style, Style::Unit);
    if kept.iter().all(is_unit) {
        let names = kept
            .iter()
            .map(|(variant, _)| name_variant(variant, collector, errors));
        return Shape::Choice(names.collect());
    }
    for (variant, _) in kept.iter().filter(|variant| is_unit(variant)) {
        let ident = &variant.ident;
        let problem =
            format!("unit variant `{ident}` serializes as a string, but other variants as objects");
        errors.at_with_help(ident, problem, format_args!("use `{ident} {{}}`"));
    }
    let variants = kept
        .iter()
        .filter_map(|(variant, group)| read_variant(variant, group, collector, errors));
    Shape::Union(variants.collect())
}

/// A variant, and the markers of its fields.
type KeptVariant<'a> = (&'a ast::Variant<'a>, &'a [MarkedField]);

fn reject_duplicate_names(kept: &[KeptVariant], errors: &mut Errors) {
    let name = |(variant, _): &KeptVariant| variant.attrs.name().serialize_name().value.clone();
    for (index, later) in kept.iter().enumerate() {
        let (variant, _) = later;
        if kept[..index]
            .iter()
            .any(|earlier| name(earlier) == name(later))
        {
            let problem = format!("duplicate JSON name `{}`", name(later));
            errors.at(&variant.ident, problem);
        }
    }
}

/// Returns the name of a variant and records its position.
fn name_variant(variant: &ast::Variant, collector: &mut Collector, errors: &mut Errors) -> String {
    let name = wire_name(variant.attrs.name(), &variant.ident, errors);
    collector.fields.push(FieldSpans {
        name: name.clone(),
        field: variant.ident.span(),
        ty: variant.original.span(),
        marks: Vec::new(),
    });
    name
}

fn read_variant(
    variant: &ast::Variant,
    group: &[MarkedField],
    collector: &mut Collector,
    errors: &mut Errors,
) -> Option<Variant<usize>> {
    let name = name_variant(variant, collector, errors);
    let owner = Owner {
        variant: Some(&variant.ident),
        content: format!("the content of `{}`", variant.ident),
        has_default: false,
    };
    let content = match variant.style {
        Style::Struct => {
            let (fields, _) = read_fields(&variant.fields, group, &owner, collector, errors);
            VariantContent::Struct(fields)
        }
        Style::Newtype => {
            let (source, marked) = variant.fields.iter().zip(group).next()?;
            let (field, _) = field::read(source, marked, &owner, collector, errors)?;
            // Positions in the content are recorded by the name of the variant.
            if let (Some(content), Some(spans)) =
                (collector.fields.pop(), collector.fields.last_mut())
            {
                spans.ty = content.ty;
                spans.marks = content.marks;
            }
            VariantContent::Newtype(Box::new(field))
        }
        Style::Tuple => {
            reject_tuple(&variant.ident, variant.fields.len(), errors);
            return None;
        }
        Style::Unit => return None,
    };
    Some(Variant {
        name,
        docs: docs(&variant.original.attrs),
        content,
    })
}

/// Rejects tags and `untagged`: only externally tagged enums have a structural schema.
fn reject_tags(container: &Container, variants: &[ast::Variant], errors: &mut Errors) {
    let keys = Keys::of(&container.original.attrs);
    let on_variants = variants
        .iter()
        .map(|variant| Keys::of(&variant.original.attrs));
    let all: Vec<Keys> = [keys].into_iter().chain(on_variants).collect();
    for keys in &all {
        if let Some(word) = keys.find(&["untagged"]) {
            errors.at_with_help(
                word,
                "untagged enums have no structural schema",
                "remove it to serialize each variant as a property, or use `#[kb(int_or_string)]` on the enum for an integer or a string",
            );
        }
        if let Some(word) = keys.find(&["tag", "content"]) {
            errors.at_with_help(
                word,
                "tagged enums have no structural schema",
                "remove it to serialize each variant as a property",
            );
        }
    }
    for keys in all.iter().skip(1) {
        if let Some(word) = keys.find(&WITH) {
            let problem =
                format!("the schema of a type with a custom serializer (`{word}`) is unknown");
            errors.at_with_help(word, problem, "move it to the field, and add `schema_type`");
        }
    }
}

/// Rejects markers on variants; their fields have markers.
pub(crate) fn reject_marks(variant: &mut syn::Variant, errors: &mut Errors) {
    variant.attrs.retain(|attribute| {
        let is_kb = attribute.path().is_ident("kb");
        if is_kb {
            let help = match &variant.fields {
                syn::Fields::Unit => "move it to the enum",
                syn::Fields::Unnamed(_) => "move it before the type in the parentheses",
                syn::Fields::Named(_) => "move it to its fields",
            };
            errors.at_with_help(attribute, "markers do not apply to variants", help);
        }
        !is_kb
    });
}
