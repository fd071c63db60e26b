//! What a literal default becomes: `#[kb(default = "a")]` on a `String`, `#[kb(default = 1)]` on an `Option<i64>`.

/// A type whose default can be written as a `V`.
#[diagnostic::on_unimplemented(
    message = "the default of a `{Self}` cannot be a `{V}`",
    label = "this is a `{V}`",
    note = "the default is a Rust expression of the field's type"
)]
pub trait DefaultFrom<V> {
    /// The default.
    fn default_from(value: V) -> Self;
}

impl<T> DefaultFrom<T> for T {
    fn default_from(value: T) -> Self {
        value
    }
}

impl<T> DefaultFrom<T> for Option<T> {
    fn default_from(value: T) -> Self {
        Some(value)
    }
}

impl DefaultFrom<&'static str> for String {
    fn default_from(value: &'static str) -> Self {
        value.to_owned()
    }
}

impl DefaultFrom<&'static str> for Option<String> {
    fn default_from(value: &'static str) -> Self {
        Some(value.to_owned())
    }
}

impl<T: DefaultFrom<V>, V, const N: usize> DefaultFrom<[V; N]> for Vec<T> {
    fn default_from(values: [V; N]) -> Self {
        values.into_iter().map(T::default_from).collect()
    }
}
