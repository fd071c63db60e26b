//! `enum`: the values that a field may have. A Rust enum says it better.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "EnumValuesCase")]
pub struct EnumValuesCaseSpec {
    /// A size.
    #[kb(enum = ["small", "large"])]
    pub size: String,
    /// A power of two.
    #[kb(enum = [1, 2, 4])]
    pub factor: i32,
    /// A Rust enum.
    pub phase: Phase,
    /// One that may be absent.
    pub last_phase: Option<Phase>,
}

/// Where it stands.
#[kb::object]
#[derive(Default)]
pub enum Phase {
    /// Not started.
    #[default]
    Pending,
    Running,
    /// Over.
    #[serde(rename = "Done!")]
    Done,
}
