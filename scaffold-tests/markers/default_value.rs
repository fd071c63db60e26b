//! `default`: the value of an absent field, for the API server and for serde. It is a Rust expression.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "DefaultValueCase")]
pub struct DefaultValueCaseSpec {
    /// A number.
    #[kb(default = 1)]
    pub replicas: i32,
    /// A text.
    #[kb(default = "web")]
    pub name: String,
    /// In an option.
    #[kb(default = true)]
    pub enabled: Option<bool>,
    /// A variant.
    #[kb(default = Mode::Fast)]
    pub mode: Mode,
    /// A list.
    #[kb(default = vec!["a".to_owned(), "b".to_owned()])]
    pub hosts: Vec<String>,
    /// A constant.
    #[kb(default = PORT)]
    pub port: u16,
    /// An object.
    #[kb(default = Limits { cpu: 2, memory: None })]
    pub limits: Limits,
    /// A newtype.
    #[kb(default = Percent(50))]
    pub share: Percent,
}

const PORT: u16 = 8080;

/// How it works.
#[kb::object]
pub enum Mode {
    Fast,
    Slow,
}

/// What it may use.
#[kb::object]
pub struct Limits {
    /// Cores.
    pub cpu: i32,
    /// Bytes.
    pub memory: Option<i64>,
}

/// A share.
#[kb::object]
#[kb(minimum = 0, maximum = 100)]
pub struct Percent(pub i32);
