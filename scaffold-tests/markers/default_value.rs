//! `default`: default value, for the API server and serde. Any Rust expression.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "DefaultValueCase")]
pub struct DefaultValueCaseSpec {
    /// Integer value.
    #[kb(default = 1)]
    pub replicas: i32,
    /// String value.
    #[kb(default = "web")]
    pub name: String,
    /// Optional value.
    #[kb(default = true)]
    pub enabled: Option<bool>,
    /// Enum variant.
    #[kb(default = Mode::Fast)]
    pub mode: Mode,
    /// List value.
    #[kb(default = vec!["a".to_owned(), "b".to_owned()])]
    pub hosts: Vec<String>,
    /// Constant.
    #[kb(default = PORT)]
    pub port: u16,
    /// Nested object.
    #[kb(default = Limits { cpu: 2, memory: None })]
    pub limits: Limits,
    /// Newtype.
    #[kb(default = Percent(50))]
    pub share: Percent,
}

const PORT: u16 = 8080;

/// Mode.
#[kb::object]
pub enum Mode {
    Fast,
    Slow,
}

/// Resource limits.
#[kb::object]
pub struct Limits {
    /// CPU cores.
    pub cpu: i32,
    /// Memory in bytes.
    pub memory: Option<i64>,
}

/// Percentage.
#[kb::object]
#[kb(minimum = 0, maximum = 100)]
pub struct Percent(pub i32);
