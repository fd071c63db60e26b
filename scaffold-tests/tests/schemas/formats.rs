//! String formats that the API server validates.

use serde_json::Value;

use crate::row::{Row, check};

/// A row for every format: field, format, valid and invalid value. Every string is a password.
macro_rules! formats {
    ($($field:ident $format:literal $valid:literal $invalid:expr;)*) => {
        /// A string of each format.
        #[kb::resource(group = "schemas.example.com", version = "v1", kind = "Formatted")]
        #[serde(rename_all = "snake_case")]
        pub(crate) struct FormattedSpec {
            $(#[kb(format = $format)] pub $field: Option<String>,)*
        }

        const FORMATS: &[&str] = &[$($format),*];

        fn table() -> Vec<Row> {
            vec![$(row(stringify!($field), $valid, $invalid)),*]
        }
    };
}

formats! {
    bsonobjectid "bsonobjectid" "507f1f77bcf86cd799439011" Some("507f1f77");
    byte "byte" "aGVsbG8=" Some("###");
    cidr "cidr" "10.0.0.0/8" Some("10.0.0.0");
    creditcard "creditcard" "4012888888881881" Some("4012888888881882");
    date "date" "2026-02-28" Some("2026-02-30");
    date_time "date-time" "2026-02-28T12:00:00Z" Some("2026-02-28 12:00");
    datetime "datetime" "2026-02-28T12:00:00Z" Some("noon");
    duration "duration" "1h30m" Some("soon");
    email "email" "a@example.com" Some("example.com");
    hexcolor "hexcolor" "#00ff00" Some("#00gg00");
    hostname "hostname" "www.example.com" Some("www example");
    ipv4 "ipv4" "10.0.0.1" Some("::1");
    ipv6 "ipv6" "::1" Some("10.0.0.1");
    isbn "isbn" "0321751043" Some("0321751044");
    isbn10 "isbn10" "0321751043" Some("978-0321751041");
    isbn13 "isbn13" "978-0321751041" Some("0321751043");
    long_name "k8s-long-name" "a.example.com" Some("a_b");
    short_name "k8s-short-name" "web-1" Some("a.b");
    mac "mac" "00:1b:44:11:3a:b7" Some("00:1b:44");
    password "password" "anything" None;
    rgbcolor "rgbcolor" "rgb(0,255,0)" Some("rgb(0,256,0)");
    ssn "ssn" "111-11-1111" Some("1");
    uri "uri" "https://example.com/a" Some("a b");
    uuid "uuid" "6ba7b810-9dad-11d1-80b4-00c04fd430c8" Some("6ba7b810");
    uuid3 "uuid3" "bcd02e22-68f0-3046-a512-327cca9def8f" Some("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
    uuid4 "uuid4" "025b0d74-00a2-4048-bf57-227c5111bb34" Some("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
    uuid5 "uuid5" "886313e1-3b8a-5372-9b90-0c9aee199e5d" Some("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
}

fn row(field: &'static str, valid: &str, invalid: Option<&str>) -> Row {
    let row = Row::of("formatteds", "Formatted", &["format"], field).accepts(valid);
    match invalid {
        Some(invalid) => row.rejects(Value::from(invalid), "Invalid value"),
        None => row,
    }
}

#[tokio::test]
async fn every_format_is_validated() {
    check(table()).await;
}

#[test]
fn every_format_of_the_marker_is_tested() {
    assert_eq!(FORMATS, kb_model::fit::formats("string"));
}
