//! Round trips through three parsers: serde-saphyr, `serde_yaml` and kubectl.

use proptest::prelude::*;
use serde_json::{Map, Number, Value, json};

use super::{document, kubectl};

/// Strings that some parser misreads when unquoted, or that are unsafe in some style.
#[rustfmt::skip]
const TRICKY: &[&str] = &[
    "", " ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", "a\r\nb", "a\rb", " a", "a ", "\ta", "a\t", "\na", "a\n",
    "a\n\n", "a\n\nb", "a\nb\n", "a \nb", "a\n b", " a\nb", "\ta\nb", "a\n\tb", "a\n \nb", "a\nb ", "a\nb\n ",
    "a\n#b", "# a\nb", "---\na", "a\n---\nb", "a\n...\nb", "---", "...", "--- a", "...a", "- a", "-", "--",
    "-a", "? a", "?", ": a", ":", "a: b", "a:", "a:b", "a :b", "a #b", "a#b", "#", "#a", "on", "On", "ON",
    "off", "Off", "y", "Y", "n", "N", "yes", "Yes", "YES", "no", "NO", "true", "True", "TRUE", "false",
    "tRUE", "null", "Null", "NULL", "~", "nil", "none", "0", "-0", "+1", "1", "-1", "012", "0o12", "0O12",
    "08", "09", "0x1", "0xfg", "-0x1", "0b1", "0b2", "1_000", "_1", "1_", "1__0", "0x_", "0x_1", "1e3", "1E3",
    "1e+3", "1e", "e3", "1.", ".1", ".", "1.5", "1._5", "1.5_0", "-.5", "+.5", ".inf", "-.Inf", "+.INF",
    ".nan", ".NaN", "inf", "nan", "Infinity", "1:30", "190:20:30", "1:60", "-1:30", "1:30.5", "2001-01-01",
    "2001-1-1", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5", "2001-13-45", "12:30", "=", "<<",
    "<", "<<a", "=a", "!", "!!str a", "!a", "&", "&a", "*", "*a", "|", "|-", ">", ">-", "'", "''", "'a'",
    "\"", "\"a\"", "\\", "\\n", "a\\", "%", "%a", "@", "@a", "`", "`a`", "[", "[]", "[a]", "]", "{", "{}",
    "}", ",", ", a", "a, b", "a\u{85}b", "\u{85}", "a\u{2028}b", "a\u{2029}b", "\u{feff}", "a\u{feff}b",
    "\u{feff}a", "\u{0}", "\u{7}", "\u{8}", "\u{b}", "\u{c}", "\u{1b}", "\u{1f}", "\u{7f}", "\u{80}",
    "\u{9f}", "\u{a0}", "\u{a0}a", "\u{ad}", "\u{200b}", "\u{202e}", "\u{fffd}", "\u{fffe}", "\u{ffff}",
    "\u{1f600}", "a\u{1f600}\nb", "\u{10ffff}", "a\u{85}\nb", "a\u{2028}\nb", "a\u{feff}\nb", "a\u{0}\nb",
    "é", "日本語", "^[a-z]([-a-z0-9]*[a-z0-9])?$", "self == oldSelf", "!has(self.a) || self.a > 1",
    "https://example.com/#a", "a, b: c", "12e03", "0.", "1,000", "1 000", "0x", "0b", "0o", "+", "-.", "..",
    "....", "685.230_15e+03", "0b1010_0111", "+12e03", "y\n", "on\n", "1\n2",
];

/// Wraps a value in an object, because kubectl requires a kind.
fn wrapped(value: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Test", "metadata": {"name": "a"}, "spec": {"value": value}})
}

/// Checks the two in-process parsers and returns the text.
fn check(value: &Value) -> String {
    let text = document("# A comment.\n", &wrapped(value));
    let saphyr: Value =
        serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(
        saphyr["spec"]["value"], *value,
        "serde-saphyr parses\n{text}"
    );
    let yaml: Value = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(yaml["spec"]["value"], *value, "serde_yaml parses\n{text}");
    let trailing = text.lines().find(|line| line.ends_with(' '));
    assert_eq!(trailing, None, "trailing blank");
    text
}

/// Checks all three parsers.
fn check_with_kubectl(value: &Value) {
    let text = check(value);
    if let Some(parsed) = kubectl::read(&text) {
        assert_same(&parsed["spec"]["value"], value);
    }
}

/// Compares kubectl's output, with numbers as doubles like Go's JSON decoder.
fn assert_same(read: &Value, written: &Value) {
    match (read, written) {
        (Value::Number(read), Value::Number(written)) => {
            let (read, written) = (read.as_f64().unwrap(), written.as_f64().unwrap());
            assert!(
                (read - written).abs() <= 4.0 * f64::EPSILON * written.abs(),
                "kubectl parses {written:?} as {read:?}"
            );
        }
        (Value::Array(read), Value::Array(written)) if read.len() == written.len() => {
            read.iter()
                .zip(written)
                .for_each(|(read, written)| assert_same(read, written));
        }
        (Value::Object(read), Value::Object(written)) if read.keys().eq(written.keys()) => {
            read.values()
                .zip(written.values())
                .for_each(|(read, written)| assert_same(read, written));
        }
        _ => assert_eq!(read, written, "kubectl's result differs"),
    }
}

#[test]
fn tricky_strings_round_trip_as_values_keys_and_elements() {
    for text in TRICKY {
        check(&json!(text));
        check(&json!({*text: [*text, {*text: *text, "b": [[*text]]}]}));
    }
}

#[test]
fn tricky_strings_round_trip_through_kubectl() {
    let keys: Map<String, Value> = TRICKY
        .iter()
        .map(|text| ((*text).to_owned(), json!([text, {"a": text}])))
        .collect();
    check_with_kubectl(&json!({"values": TRICKY, "keys": keys, "nested": [[TRICKY]]}));
}

#[test]
fn numbers_round_trip() {
    check_with_kubectl(&json!([
        0,
        -1,
        i64::MIN,
        i64::MAX,
        u64::MAX,
        0.5,
        -0.25,
        1e300,
        1e-300,
        1.0,
        0.1,
        123_456_789_012_345.6,
        1e15,
        1e16,
        1e21
    ]));
}

#[test]
fn multi_line_strings_are_literal_blocks() {
    let text = document(
        "",
        &json!({"b": "First.\n\n\tSecond: # line\nlast", "a": [{"c": "x\ny\n"}], "empty": [[], {}]}),
    );
    assert_eq!(
        text,
        "---\na:\n- c: |\n    x\n    y\nb: |-\n  First.\n\n  \tSecond: # line\n  last\nempty:\n- []\n- {}\n"
    );
}

#[test]
fn long_lines_are_not_folded() {
    let long = "word ".repeat(100);
    let text = document("", &json!({"a": long.trim()}));
    assert_eq!(text, format!("---\na: {}\n", long.trim()));
}

#[test]
fn keys_beyond_the_simple_key_limit_round_trip() {
    let key = "k".repeat(2000);
    let key = key.as_str();
    check_with_kubectl(
        &json!({key: {"a": {key: ["b", {"c": "d\ne"}]}}, "b": [{key: "f\ng", "h": 1}]}),
    );
}

fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => proptest::sample::select(TRICKY).prop_map(ToOwned::to_owned),
        2 => proptest::collection::vec(proptest::sample::select(vec![' ', '\n', '\t', ':', '#', '-', '\'', '"', '\\', 'a', '1', '_', '.', '%', ',', '{', '[', '\r', '\u{85}', '\u{2028}', '\u{feff}']), 0..8)
            .prop_map(|characters| characters.into_iter().collect()),
        1 => any::<String>(),
        1 => "[ -~\n]{0,20}",
    ];
    proptest::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => string().prop_map(Value::String),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_filter_map("a finite number", |float| Number::from_f64(float).map(Value::Number)),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            proptest::collection::btree_map(string(), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_document_round_trips(value in value()) {
        check(&value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_document_round_trips_through_kubectl(values in proptest::collection::vec(value(), 40)) {
        check_with_kubectl(&Value::Array(values));
    }
}
