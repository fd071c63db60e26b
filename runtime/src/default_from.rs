//! Converts the literal of `#[kb(default = ..)]` into the type of its field: `"a"` into a `String`, `1` into an `Option<i64>`.

/// A type whose default can be written as a `V`.
///
/// It is implemented for every type, so rustc may suggest its method wherever a function is missing. The name of the method keeps
/// it from being similar to anything that a user calls.
#[diagnostic::on_unimplemented(
    message = "the default of a `{Self}` cannot be a `{V}`",
    label = "this is a `{V}`",
    note = "a default is a Rust expression of the type of the field"
)]
pub trait DefaultFrom<V> {
    /// Converts the literal.
    fn __kb_convert_literal(value: V) -> Self;
}

impl<T> DefaultFrom<T> for T {
    fn __kb_convert_literal(value: T) -> Self {
        value
    }
}

#[diagnostic::do_not_recommend]
impl<T> DefaultFrom<T> for Option<T> {
    fn __kb_convert_literal(value: T) -> Self {
        Some(value)
    }
}

#[diagnostic::do_not_recommend]
impl DefaultFrom<&'static str> for String {
    fn __kb_convert_literal(value: &'static str) -> Self {
        value.to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl DefaultFrom<&'static str> for Option<String> {
    fn __kb_convert_literal(value: &'static str) -> Self {
        Some(value.to_owned())
    }
}

#[diagnostic::do_not_recommend]
impl<T: DefaultFrom<V>, V, const N: usize> DefaultFrom<[V; N]> for Vec<T> {
    fn __kb_convert_literal(values: [V; N]) -> Self {
        values.into_iter().map(T::__kb_convert_literal).collect()
    }
}
