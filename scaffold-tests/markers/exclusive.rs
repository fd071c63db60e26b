//! `exclusive_minimum` and `exclusive_maximum`: exclude the bound itself.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "ExclusiveCase")]
pub struct ExclusiveCaseSpec {
    /// Greater than 0 and less than 100.
    #[kb(minimum = 0, exclusive_minimum, maximum = 100, exclusive_maximum)]
    pub percent: i32,
}
