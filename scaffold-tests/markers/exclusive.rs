//! `exclusive_minimum` and `exclusive_maximum`: the bound itself is outside.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "ExclusiveCase")]
pub struct ExclusiveCaseSpec {
    /// Above 0 and below 100.
    #[kb(minimum = 0, exclusive_minimum, maximum = 100, exclusive_maximum)]
    pub percent: i32,
}
