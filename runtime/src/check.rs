//! Checks of markers where only the compiler knows the type: behind an alias, in a newtype, in a type of its own.
//!
//! The macros emit a call of one of these functions for a marker, at the marker's place, in code that is never run. What
//! is written in the item itself (a bound on a `String`) the reader of markers has refused already.

use crate::schema::{Any, Choice, Flag, Float, IntOrString, List, Map, Number, Object, PlainText};

/// Forms that fit a need.
macro_rules! fits {
    ($need:ident: $($form:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl $need for $form {}
    )*};
}

/// For `minimum`, `maximum`, `multiple_of` and their like.
#[diagnostic::on_unimplemented(
    message = "`minimum`, `maximum` and `multiple_of` need a number",
    label = "this is of the form `{Self}`",
    note = "for a string there are `min_length` and `max_length`, for a list `min_items` and `max_items`, for a map `min_properties` and `max_properties`"
)]
pub trait IsNumber {}

fits! { IsNumber: Number Float IntOrString Any }

/// For `minimum`, `maximum`, `multiple_of` and their like.
pub const fn number<Form: IsNumber>() {}

/// For `min_length`, `max_length`, `pattern` and the formats of strings.
#[diagnostic::on_unimplemented(
    message = "`min_length`, `max_length`, `pattern` and this `format` need a string",
    label = "this is of the form `{Self}`",
    note = "for a number there are `minimum` and `maximum`, for a list `min_items` and `max_items`; for the elements of a list write `items(...)`, for the values of a map `values(...)`"
)]
pub trait IsText {}

fits! { IsText: PlainText Choice IntOrString Any }

/// For `min_length`, `max_length`, `pattern` and the formats of strings.
pub const fn text<Form: IsText>() {}

/// For `min_properties`, `max_properties` and `map_type`.
#[diagnostic::on_unimplemented(
    message = "`min_properties`, `max_properties` and `map_type` need a map or an object",
    label = "this is of the form `{Self}`",
    note = "for a list there are `min_items`, `max_items` and `list_type`"
)]
pub trait IsObject {}

fits! { IsObject: Object Any }

#[diagnostic::do_not_recommend]
impl<T> IsObject for Map<T> {}

/// For `min_properties`, `max_properties` and `map_type`.
pub const fn object<Form: IsObject>() {}

/// For `column`.
#[diagnostic::on_unimplemented(
    message = "a `column` shows a string, a number or a boolean",
    label = "this is of the form `{Self}`",
    note = "put `column` on a field of that object, or write a column with a path: `#[kb::resource(column(name = \"..\", type = \"..\", json_path = \"..\"))]`"
)]
pub trait IsColumn {}

fits! { IsColumn: Number Float PlainText Flag Choice IntOrString Any }

/// For `column`.
pub const fn column<Form: IsColumn>() {}

/// For `scale(replicas)`.
#[diagnostic::on_unimplemented(
    message = "`scale(replicas)` needs an integer",
    label = "this is of the form `{Self}`",
    note = "it is the field that holds the number of replicas"
)]
pub trait IsReplicas {}

fits! { IsReplicas: Number Any }

/// For `scale(replicas)`.
pub const fn replicas<Form: IsReplicas>() {}

/// For `scale(selector)`.
#[diagnostic::on_unimplemented(
    message = "`scale(selector)` needs a string",
    label = "this is of the form `{Self}`",
    note = "it is the field of the status that holds the label selector in its text form"
)]
pub trait IsSelector {}

fits! { IsSelector: PlainText Any }

/// For `scale(selector)`.
pub const fn selector<Form: IsSelector>() {}

/// For `selectable`.
#[diagnostic::on_unimplemented(
    message = "`selectable` needs a string, an integer or a boolean",
    label = "this is of the form `{Self}`",
    note = "field selectors compare plain values only"
)]
pub trait IsSelectable {}

fits! { IsSelectable: Number PlainText Flag Choice Any }

/// For `selectable`.
pub const fn selectable<Form: IsSelectable>() {}

/// For `min_items`, `max_items`, `list_type`, `list_map_key` and `items(...)`.
#[diagnostic::on_unimplemented(
    message = "`min_items`, `max_items`, `list_type`, `list_map_key` and `items(...)` need a list",
    label = "this is of the form `{Self}`",
    note = "for a string there are `min_length` and `max_length`, for a map `min_properties`, `max_properties` and `values(...)`"
)]
pub trait IsList {
    /// The form of its elements.
    type Item;
}

#[diagnostic::do_not_recommend]
impl<T> IsList for List<T> {
    type Item = T;
}

#[diagnostic::do_not_recommend]
impl IsList for Any {
    type Item = Self;
}

/// For marks of lists.
pub const fn list<Form: IsList>() {}

/// For `values(...)`.
#[diagnostic::on_unimplemented(
    message = "`values(...)` needs a map",
    label = "this is of the form `{Self}`",
    note = "for the elements of a list write `items(...)`"
)]
pub trait IsMap {
    /// The form of its values.
    type Value;
}

#[diagnostic::do_not_recommend]
impl<T> IsMap for Map<T> {
    type Value = T;
}

#[diagnostic::do_not_recommend]
impl IsMap for Any {
    type Value = Self;
}

/// For `values(...)`.
pub const fn map<Form: IsMap>() {}

/// For fields without `allow_float`.
#[diagnostic::on_unimplemented(
    message = "`f32` and `f64` need `#[kb(allow_float)]`",
    label = "this holds a float",
    note = "floats lose precision between clients; Kubernetes uses integers, or quantities such as \"100m\" (`kb::k8s_openapi::apimachinery::pkg::api::resource::Quantity`)"
)]
pub trait NoFloat {}

fits! { NoFloat: Number PlainText Flag Choice IntOrString Object Any }

impl<T: NoFloat> NoFloat for List<T> {}
impl<T: NoFloat> NoFloat for Map<T> {}

/// For fields without `allow_float`.
pub const fn no_float<Form: NoFloat>() {}
