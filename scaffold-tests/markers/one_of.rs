//! `at_most_one_of`, `exactly_one_of` and `at_least_one_of`: number of fields that are set.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "OneOfCase")]
pub struct OneOfCaseSpec {
    /// Source.
    pub source: Source,
}

/// Source of the deployment.
#[kb::object]
#[kb(
    at_most_one_of(image, chart),
    exactly_one_of(git, path),
    at_least_one_of("git", "path", "last-resort")
)]
pub struct Source {
    /// Container image.
    pub image: Option<String>,
    /// Helm chart.
    pub chart: Option<String>,
    /// Git repository.
    pub git: Option<String>,
    /// Directory.
    pub path: Option<String>,
    /// Revision.
    #[serde(rename = "last-resort")]
    pub last_resort: Option<String>,
}
