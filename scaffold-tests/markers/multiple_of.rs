//! `multiple_of`: divisor of a number.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "MultipleOfCase")]
pub struct MultipleOfCaseSpec {
    /// Whole gibibytes.
    #[kb(multiple_of = 1024)]
    pub mebibytes: i64,
    /// Multiple of one half.
    #[kb(multiple_of = 0.5, allow_float)]
    pub cores: f64,
}
