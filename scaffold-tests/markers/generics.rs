//! Generic types and aliases.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "GenericsCase")]
pub struct GenericsCaseSpec {
    /// Pair of strings.
    pub texts: Pair<String>,
    /// Pair of pairs.
    pub nested: Pair<Pair<i32>>,
    /// Type alias.
    pub names: Names,
    /// Type alias of an option.
    pub maybe: Maybe<i64>,
}

/// Pair of values.
#[kb::object]
pub struct Pair<T> {
    /// First value.
    pub left: T,
    /// Second value.
    pub right: Option<T>,
}

/// List of strings.
pub type Names = Vec<String>;

/// Optional value.
pub type Maybe<T> = Option<T>;
