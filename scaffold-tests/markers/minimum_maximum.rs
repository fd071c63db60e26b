//! `minimum` and `maximum`: bounds of a number.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "MinimumMaximumCase")]
pub struct MinimumMaximumCaseSpec {
    /// Integer.
    #[kb(minimum = 1, maximum = 10)]
    pub replicas: i32,
    /// Negative integer.
    #[kb(minimum = -273)]
    pub temperature: i64,
    /// Floating-point number.
    #[kb(minimum = 0.5, maximum = 1.5, allow_float)]
    pub ratio: f64,
    /// Unsigned integers have an implicit minimum.
    pub port: u16,
    /// Optional integer.
    #[kb(maximum = 3)]
    pub retries: Option<u32>,
}
