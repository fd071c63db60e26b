//! User-provided derives, `Default` and serde conversions.

#![allow(missing_docs, reason = "descriptions are not tested")]

use kb::k8s_openapi::serde_json::{self, json};

#[kb::object(default = false)]
#[derive(Clone, Eq, PartialEq)]
pub struct Mine {
    pub name: String,
}

impl Default for Mine {
    fn default() -> Self {
        Self {
            name: "mine".to_owned(),
        }
    }
}

#[kb::resource(group = "example.com", version = "v1", kind = "Memo", default = false)]
#[derive(Debug)]
pub struct MemoSpec {
    pub mine: Mine,
}

impl Default for MemoSpec {
    fn default() -> Self {
        Self {
            mine: Mine {
                name: "memo".to_owned(),
            },
        }
    }
}

#[test]
fn a_manual_default_is_used() {
    assert_eq!(Memo::default().spec.mine.name, "memo");
}

/// Written as `low..high`.
#[kb::object]
#[kb(schema_type = "string", pattern = "^[0-9]+\\.\\.[0-9]+$")]
#[serde(try_from = "String", into = "String")]
#[derive(Eq)]
pub struct Range {
    low: u32,
    high: u32,
}

impl TryFrom<String> for Range {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let ends = text.split_once("..").ok_or("no `..`")?;
        let number = |text: &str| text.parse().map_err(|_| format!("{text} is not a number"));
        Ok(Self {
            low: number(ends.0)?,
            high: number(ends.1)?,
        })
    }
}

impl From<Range> for String {
    fn from(range: Range) -> Self {
        format!("{}..{}", range.low, range.high)
    }
}

#[kb::resource(group = "example.com", version = "v1", kind = "Ranges")]
pub struct RangesSpec {
    #[kb(max_length = 9)]
    pub range: Range,
}

#[test]
fn a_type_with_custom_serialization_declares_its_schema() {
    let spec: RangesSpec = serde_json::from_value(json!({"range": "1..2"})).unwrap();
    assert_eq!(spec.range, Range { low: 1, high: 2 });
    assert_eq!(
        serde_json::to_value(&spec).unwrap(),
        json!({"range": "1..2"})
    );
    let crd = serde_json::to_value(Ranges::crd()).unwrap();
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    let expected = json!({"type": "string", "description": "Written as `low..high`.", "pattern": "^[0-9]+\\.\\.[0-9]+$", "maxLength": 9});
    assert_eq!(schema["properties"]["range"], expected);
}
