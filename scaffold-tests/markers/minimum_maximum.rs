//! `minimum` and `maximum`: the bounds of a number.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "MinimumMaximumCase")]
pub struct MinimumMaximumCaseSpec {
    /// A whole number.
    #[kb(minimum = 1, maximum = 10)]
    pub replicas: i32,
    /// Below zero.
    #[kb(minimum = -273)]
    pub temperature: i64,
    /// No whole number.
    #[kb(minimum = 0.5, maximum = 1.5, allow_float)]
    pub ratio: f64,
    /// An unsigned integer has a lower bound by itself.
    pub port: u16,
    /// Absent or within bounds.
    #[kb(maximum = 3)]
    pub retries: Option<u32>,
}
