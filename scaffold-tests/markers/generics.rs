//! Generic types and aliases.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "GenericsCase")]
pub struct GenericsCaseSpec {
    /// A pair of texts.
    pub texts: Pair<String>,
    /// A pair of pairs.
    pub nested: Pair<Pair<i32>>,
    /// An alias.
    pub names: Names,
    /// An alias that hides an option.
    pub maybe: Maybe<i64>,
}

/// Two of a kind.
#[kb::object]
pub struct Pair<T> {
    /// The first.
    pub left: T,
    /// The second.
    pub right: Option<T>,
}

/// Texts.
pub type Names = Vec<String>;

/// Perhaps.
pub type Maybe<T> = Option<T>;
