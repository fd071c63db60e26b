//! Formats: those the API server knows, by JSON type. It ignores any other.

use syn::LitStr;

use crate::did_you_mean::did_you_mean;
use crate::errors::helped;

pub(super) const OF_INTEGERS: [&str; 2] = ["int32", "int64"];
pub(super) const OF_NUMBERS: [&str; 2] = ["float", "double"];
pub(super) const OF_TEXTS: [&str; 27] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "date-time",
    "datetime",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8s-long-name",
    "k8s-short-name",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// Whether the API server knows the format, of whatever type.
pub(super) fn check(format: &LitStr) -> syn::Result<()> {
    let text = format.value();
    let known = || {
        let all = OF_INTEGERS.iter().chain(&OF_NUMBERS).chain(&OF_TEXTS);
        all.copied()
    };
    if known().any(|name| name == text) {
        return Ok(());
    }
    let problem = format!("the API server does not know the format `{text}`");
    let help = match text.as_str() {
        "ip" => "write `ipv4` or `ipv6`".to_owned(),
        "url" => "write `uri`".to_owned(),
        "uint32" | "uint64" => "write `int64`, with `minimum = 0`".to_owned(),
        _ => did_you_mean(&text, known())
            .unwrap_or_else(|| "write a `pattern`, or leave it out".to_owned()),
    };
    Err(helped(format, problem, help))
}
