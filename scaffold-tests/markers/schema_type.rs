//! `schema_type`: JSON type, if it differs from the Rust type.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "SchemaTypeCase")]
pub struct SchemaTypeCaseSpec {
    /// Seconds as a string.
    #[kb(schema_type = "string", pattern = "^[0-9]+s$")]
    #[serde(with = "seconds")]
    pub timeout: u64,
    /// Type with custom serialization.
    pub level: Level,
}

/// Level, serialized as a number.
#[kb::object]
#[kb(schema_type = "integer", minimum = 0)]
#[serde(try_from = "i32", into = "i32")]
pub enum Level {
    Low,
    High,
}

impl From<Level> for i32 {
    fn from(level: Level) -> Self {
        match level {
            Level::Low => 0,
            Level::High => 1,
        }
    }
}

impl TryFrom<i32> for Level {
    type Error = String;

    fn try_from(number: i32) -> Result<Self, Self::Error> {
        match number {
            0 => Ok(Self::Low),
            1 => Ok(Self::High),
            _ => Err(format!("{number} is no level")),
        }
    }
}

mod seconds {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(
        seconds: &u64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{seconds}s"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.trim_end_matches('s').parse().map_err(D::Error::custom)
    }
}
