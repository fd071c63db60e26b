//! What a type is on the wire, for the checks of markers while an API is compiled.
//!
//! None of these has values: they are what [`Schema::Form`](super::Schema::Form) can be. [`check`](crate::check) says which
//! marker needs which.

use std::marker::PhantomData;

/// An integer.
#[derive(Debug)]
pub enum Number {}

/// A number that need not be an integer.
#[derive(Debug)]
pub enum Float {}

/// A string.
#[derive(Debug)]
pub enum PlainText {}

/// `true` or `false`.
#[derive(Debug)]
pub enum Flag {}

/// One of several strings: an enum without data.
#[derive(Debug)]
pub enum Choice {}

/// An integer or a string.
#[derive(Debug)]
pub enum IntOrString {}

/// A list of such elements.
#[derive(Debug)]
pub struct List<T>(PhantomData<T>);

/// A map to such values.
#[derive(Debug)]
pub struct Map<T>(PhantomData<T>);

/// An object whose properties are known.
#[derive(Debug)]
pub enum Object {}

/// Any JSON value: no marker is checked.
#[derive(Debug)]
pub enum Any {}

/// What a form is behind `#[kb(allow_float)]`: floats in it count as numbers.
pub trait AllowFloat {
    /// The form with that said.
    type Form;
}

macro_rules! unchanged {
    ($($form:ty)*) => {$(
        impl AllowFloat for $form {
            type Form = Self;
        }
    )*};
}

unchanged! { Number PlainText Flag Choice IntOrString Object Any }

impl AllowFloat for Float {
    type Form = Number;
}

impl<T: AllowFloat> AllowFloat for List<T> {
    type Form = List<T::Form>;
}

impl<T: AllowFloat> AllowFloat for Map<T> {
    type Form = Map<T::Form>;
}
