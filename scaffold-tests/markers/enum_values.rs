//! `enum`: allowed values. Prefer a Rust enum.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "EnumValuesCase")]
pub struct EnumValuesCaseSpec {
    /// Size.
    #[kb(enum = ["small", "large"])]
    pub size: String,
    /// Power of two.
    #[kb(enum = [1, 2, 4])]
    pub factor: i32,
    /// Rust enum.
    pub phase: Phase,
    /// Optional enum.
    pub last_phase: Option<Phase>,
}

/// Phase.
#[kb::object]
#[derive(Default)]
pub enum Phase {
    /// Not started yet.
    #[default]
    Pending,
    Running,
    /// Finished.
    #[serde(rename = "Done!")]
    Done,
}
