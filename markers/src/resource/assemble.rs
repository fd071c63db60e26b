//! Combines the attribute and the item into a kind.

use kb_model::api::{Resource, Shape, SpecLayout};
use proc_macro2::TokenStream;
use quote::format_ident;
use syn::{Ident, Item, Type, parse_quote};

use super::arguments::Arguments;
use crate::errors::Errors;
use crate::field::FieldName;
use crate::item::{Object, ResourceItem};
use crate::marks::check_conflicts;
use crate::{object, one_of};

/// Field names of every object.
const RESERVED: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];

const APPROVAL_ANNOTATION: &str = "api-approved.kubernetes.io";

/// Reads an item with `#[kb::resource(...)]`. `args` are the tokens in parentheses.
pub fn read_resource(args: TokenStream, item: Item) -> syn::Result<ResourceItem> {
    let mut errors = Errors::default();
    let arguments = Arguments::read(args, &mut errors);
    let (object, fields) = match object::read(item, "kb::resource", &mut errors) {
        Ok(read) => read,
        Err(error) => return Err(errors.with(error)),
    };
    let ident = name_of(&object);
    check_conflicts(&arguments.markers, &mut errors);
    check_names(&arguments, &ident, &mut errors);
    check_spec(&arguments, &object, &ident, &mut errors);
    let resource = assemble(arguments, object, fields, &mut errors);
    errors.finish()?;
    resource.ok_or_else(|| syn::Error::new(ident.span(), "failed to parse this kind"))
}

fn name_of(object: &Object) -> Ident {
    match &object.item {
        Item::Struct(item) => item.ident.clone(),
        Item::Enum(item) => item.ident.clone(),
        _ => Ident::new(&object.def.name, object.spans.item),
    }
}

/// Checks required arguments and the API group.
fn check_names(arguments: &Arguments, ident: &Ident, errors: &mut Errors) {
    for (name, usage) in [
        ("group", "group = \"batch.example.com\""),
        ("version", "version = \"v1alpha1\""),
        ("kind", "kind = \"AppService\""),
    ] {
        if arguments.find(name).is_none() {
            let problem = format!("missing argument `{name}`");
            errors.at_with_help(ident, problem, format_args!("add `{usage}`"));
        }
    }
    if let Some((group, token)) = &arguments.group {
        let approved = arguments
            .annotations
            .iter()
            .any(|(key, _)| key == APPROVAL_ANNOTATION);
        if let Err(error) = group.check_custom() {
            errors.at_with_help(
                token,
                &error,
                "use a group with a dot, such as `batch.example.com`",
            );
        } else if group.is_protected() && !approved {
            let problem = format!("the group `{group}` is reserved for the Kubernetes project");
            let help = format!(
                "use another group, or add `annotations(\"{APPROVAL_ANNOTATION}\" = \"unapproved, ..\")`"
            );
            errors.at_with_help(token, problem, help);
        }
    }
    if let Some((kind, token)) = &arguments.kind
        && ident == kind.as_str()
    {
        let problem = format!("the spec cannot have the name of the kind, `{kind}`");
        errors.at_with_help(
            token,
            problem,
            format_args!("rename the struct to `{kind}Spec`"),
        );
    }
}

fn check_spec(arguments: &Arguments, object: &Object, ident: &Ident, errors: &mut Errors) {
    let generics = match &object.item {
        Item::Struct(item) => &item.generics,
        Item::Enum(item) => &item.generics,
        _ => return,
    };
    if !generics.params.is_empty() {
        errors.at(&generics.params, "the spec of a kind cannot be generic");
    }
    if matches!(object.def.shape, Shape::Choice(_)) {
        errors.at(ident, "expected a struct as spec, found an enum of strings");
    }
    if arguments.no_spec
        && arguments.optional_spec
        && let Some(name) = arguments.find("optional_spec")
    {
        let problem = "`optional_spec` conflicts with `no_spec`";
        errors.at_with_help(name, problem, "remove one of them");
    }
    if arguments.no_spec {
        check_root(object, ident, errors);
    }
}

/// Checks the fields of a kind without spec, which are siblings of `metadata`.
fn check_root(object: &Object, ident: &Ident, errors: &mut Errors) {
    let Shape::Struct(fields) = &object.def.shape else {
        let problem = "`no_spec` requires a struct";
        return errors.at(ident, problem);
    };
    for field in fields
        .iter()
        .filter(|field| RESERVED.contains(&field.name.as_str()))
    {
        let problem = format!(
            "with `no_spec`, the field name `{}` is reserved",
            field.name
        );
        let spans = object
            .spans
            .fields
            .iter()
            .find(|spans| spans.name == field.name);
        let span = spans.map_or(object.spans.item, |spans| spans.field);
        let help = "rename the field, or remove `no_spec`";
        errors.push(syn::Error::new(span, format!("{problem}\nhelp: {help}")));
    }
}

fn assemble(
    arguments: Arguments,
    mut object: Object,
    fields: Vec<FieldName>,
    errors: &mut Errors,
) -> Option<ResourceItem> {
    let ident = name_of(&object);
    object.default = arguments.default;
    let own: Type = parse_quote!(#ident);
    let spec = position(&mut object, own);
    let status = arguments.status.map(|ty| position(&mut object, ty));
    let mut marks = arguments.markers.marks();
    let spec_layout = match (arguments.no_spec, arguments.optional_spec) {
        (true, _) => SpecLayout::Root,
        (false, true) => SpecLayout::Optional,
        (false, false) => SpecLayout::Required,
    };
    let fields = root_fields(fields, spec_layout, status.is_some());
    marks.one_of = one_of::resolve(&arguments.markers.one_of_rules, &fields, errors);
    let (group, _) = arguments.group?;
    let (kind, _) = arguments.kind?;
    let resource = Resource {
        group,
        version: arguments.version?,
        plural: arguments.plural.unwrap_or_else(|| kind.plural()),
        singular: arguments.singular.unwrap_or_else(|| kind.lower()),
        list_kind: arguments.list_kind.unwrap_or_else(|| format!("{kind}List")),
        kind,
        short_names: arguments.short_names,
        categories: arguments.categories,
        scope: arguments.scope,
        docs: arguments.doc.unwrap_or_else(|| object.def.docs.clone()),
        marks,
        spec,
        spec_layout,
        status_subresource: arguments.status_subresource.unwrap_or(status.is_some()),
        status,
        scale: arguments.scale,
        columns: arguments.columns,
        storage: arguments.storage,
        served: arguments.served,
        deprecated: arguments.deprecated,
        annotations: arguments.annotations.into_iter().collect(),
        labels: arguments.labels.into_iter().collect(),
    };
    Some(ResourceItem { resource, object })
}

/// Returns the index of a type.
fn position(object: &mut Object, ty: Type) -> usize {
    let known = object
        .types
        .iter()
        .enumerate()
        .position(|(position, known)| *known == ty && !object.json_schema.contains(&position));
    known.unwrap_or_else(|| {
        object.types.push(ty);
        object.types.len() - 1
    })
}

/// Returns the fields that rules of the whole object can refer to.
fn root_fields(own: Vec<FieldName>, spec_layout: SpecLayout, has_status: bool) -> Vec<FieldName> {
    let property = |name: &str, required| FieldName {
        ident: Some(format_ident!("{name}")),
        name: name.to_owned(),
        required,
        flatten: false,
    };
    let mut fields = match spec_layout {
        SpecLayout::Root => own,
        layout => vec![property("spec", layout == SpecLayout::Required)],
    };
    fields.extend(has_status.then(|| property("status", false)));
    fields
}
