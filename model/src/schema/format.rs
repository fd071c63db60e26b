//! The formats that the API server knows, by the type of the value.
//!
//! It warns of others, and checks nothing by them: `uint32` says less than a minimum of 0.

use super::node::{Keywords, describe, type_of};

const STRING: [&str; 27] = [
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "password",
    "date",
    "duration",
    "datetime",
    "date-time",
    "k8s-short-name",
    "k8s-long-name",
];

/// The formats of a JSON type, by its name.
pub fn formats(json_type: &str) -> &'static [&'static str] {
    match json_type {
        "integer" => &["int32", "int64"],
        "number" => &["float", "double"],
        "string" => &STRING,
        _ => &[],
    }
}

/// Why a value cannot have a format. Anything goes where the type is open.
pub(super) fn refusal(keywords: &Keywords, format: &str) -> Option<String> {
    let name = type_of(keywords);
    let known = formats(name);
    if name.is_empty() || known.contains(&format) {
        return None;
    }
    let what = describe(keywords);
    if known.is_empty() {
        return Some(format!("needs a string or a number, and this is {what}"));
    }
    Some(format!(
        "\"{format}\" is not among those that the API server knows for {what}: {}",
        known.join(", ")
    ))
}
