//! `at_most_one_of`, `exactly_one_of` and `at_least_one_of`: how many of some fields are set.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "OneOfCase")]
pub struct OneOfCaseSpec {
    /// A source.
    pub source: Source,
}

/// Where it comes from.
#[kb::object]
#[kb(
    at_most_one_of(image, chart),
    exactly_one_of(git, path),
    at_least_one_of("git", "path", "last-resort")
)]
pub struct Source {
    /// An image.
    pub image: Option<String>,
    /// A chart.
    pub chart: Option<String>,
    /// A repository.
    pub git: Option<String>,
    /// A folder.
    pub path: Option<String>,
    /// Something.
    #[serde(rename = "last-resort")]
    pub last_resort: Option<String>,
}
