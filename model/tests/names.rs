//! Property tests of names against an independent implementation of their rules.
//!
//! The strategies mix valid, nearly valid and arbitrary strings.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use kb_model::{
    ApiGroup, ControllerName, Domain, Group, Gvk, Kind, NameError, Plural, ProjectName, Version,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Returns whether a string is a label.
fn is_label(text: &str, letter_first: bool, max: usize) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return false;
    };
    let letter_or_digit = |b: &u8| matches!(b, b'a'..=b'z' | b'0'..=b'9');
    bytes.len() <= max
        && bytes.iter().all(|b| letter_or_digit(b) || *b == b'-')
        && letter_or_digit(last)
        && if letter_first {
            first.is_ascii_lowercase()
        } else {
            letter_or_digit(first)
        }
}

fn is_subdomain(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(|part| is_label(part, false, 253))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z0-9-]{0,70}",
        3 => "[a-z0-9.-]{0,20}",
        3 => "v[0-9]{0,3}(alpha|beta)?[0-9]{0,3}",
        3 => "[A-Z][a-zA-Z0-9]{8,62}",
        1 => "[A-Z][0-9]{0,2}",
        1 => "[a-z0-9.]{230,260}",
        1 => "[a-zA-Z0-9_/ .-]{0,12}",
        1 => any::<String>(),
        1 => Just("Option".to_owned()),
        1 => Just("serde".to_owned()),
    ]
}

/// Returns whether kubectl parses the string as a boolean or null.
fn is_yaml_word(text: &str) -> bool {
    let words = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    words.contains(&text.to_lowercase().as_str())
}

/// Checks that a name is accepted exactly if `rule` holds, and that it round-trips as text and JSON.
fn check<T>(text: &str, rule: bool) -> Result<(), TestCaseError>
where
    T: FromStr<Err = NameError> + Display + Debug + PartialEq + Serialize + DeserializeOwned,
{
    let json = serde_json::to_string(text).expect("text is JSON");
    match text.parse::<T>() {
        Ok(name) => {
            prop_assert!(rule, "accepted {text:?}");
            prop_assert_eq!(name.to_string(), text);
            prop_assert_eq!(
                serde_json::to_string(&name).expect("a name is JSON"),
                json.clone()
            );
            prop_assert_eq!(
                serde_json::from_str::<T>(&json).expect("it was accepted as text"),
                name
            );
        }
        Err(error) => {
            prop_assert!(!rule, "refused: {error}");
            prop_assert_eq!(error.value(), text);
            prop_assert!(!error.help().is_empty() && !error.problem().ends_with('.'));
            let through_serde =
                serde_json::from_str::<T>(&json).expect_err("it was refused as text");
            prop_assert!(through_serde.to_string().starts_with(&error.to_string()));
            if let Some(suggestion) = error.help().strip_prefix("try `") {
                prop_assert!(
                    suggestion.trim_end_matches('`').parse::<T>().is_ok(),
                    "{error}: {suggestion}"
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn domains_and_groups_are_subdomains(text in text()) {
        check::<Domain>(&text, is_subdomain(&text))?;
        check::<Group>(&text, is_subdomain(&text))?;
        check::<ApiGroup>(&text, text.is_empty() || is_subdomain(&text))?;
    }

    #[test]
    fn versions_plurals_and_controller_names_are_labels(text in text()) {
        check::<Version>(&text, is_label(&text, true, 63))?;
        check::<Plural>(&text, is_label(&text, true, 63) && !is_yaml_word(&text))?;
        check::<ControllerName>(&text, is_label(&text, true, 63))?;
    }

    #[test]
    fn a_lowercase_kind_and_its_list_are_labels(text in text()) {
        let shape = text.starts_with(|c: char| c.is_ascii_uppercase()) && !text.contains('-');
        let label = is_label(&format!("{}list", text.to_ascii_lowercase()), true, 63);
        check::<Kind>(&text, shape && label && text != "Option" && !is_yaml_word(&text))?;
    }

    #[test]
    fn a_project_name_leaves_room_for_its_namespace(text in text()) {
        if let Ok(name) = text.parse::<ProjectName>() {
            prop_assert!(is_label(&name.namespace(), true, 63));
            check::<ProjectName>(&text, true)?;
        } else {
            check::<ProjectName>(&text, false)?;
        }
    }

    #[test]
    fn every_module_is_an_identifier(text in text()) {
        let modules = [
            text.parse::<Group>().ok().map(|name| name.module()),
            text.parse::<Version>().ok().map(|name| name.module()),
            text.parse::<Kind>().ok().map(|name| name.module()),
            text.parse::<ControllerName>().ok().map(|name| name.module()),
        ];
        for module in modules.into_iter().flatten() {
            prop_assert!(module.starts_with(|c: char| c.is_ascii_lowercase()), "{module}");
            prop_assert!(module.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_')), "{module}");
        }
    }

    #[test]
    fn collisions_are_symmetric(one in "[A-Z][a-z]{0,2}(Spec|List)?", other in "[A-Z][a-z]{0,2}(Status|List)?") {
        let (one, other): (Kind, Kind) = match (one.parse(), other.parse()) {
            (Ok(one), Ok(other)) => (one, other),
            _ => return Ok(()),
        };
        prop_assert_eq!(one.collides_with(&other).is_some(), other.collides_with(&one).is_some());
        prop_assert_eq!(one.collides_with(&one), None);
    }

    #[test]
    fn a_gvk_round_trips(group in "([a-z]{1,5}(\\.[a-z]{1,3})?)?", version in "v[1-9]", kind in "Q[a-z]{1,9}") {
        let text = format!("{group}/{version}/{kind}");
        let gvk: Gvk = text.parse().expect("all parts are legal");
        prop_assert_eq!(gvk.to_string(), text);
    }

    #[test]
    fn versions_have_a_total_order(a in version(), b in version(), c in version()) {
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a.cmp(&b).is_eq(), a == b);
        if a <= b && b <= c {
            prop_assert!(a <= c);
        }
    }
}

fn version() -> impl Strategy<Value = Version> {
    prop_oneof![
        4 => "v[0-3]{1,2}((alpha|beta)[0-3]{1,2})?",
        1 => "[ab]{1,2}",
        1 => "v[0-9]{18,22}",
    ]
    .prop_map(|text| text.parse().expect("a label"))
}

#[test]
fn orders_versions_as_documented_by_kubernetes() {
    let documented = [
        "v10",
        "v2",
        "v1",
        "v11beta2",
        "v10beta3",
        "v3beta1",
        "v12alpha1",
        "v11alpha2",
        "foo1",
        "foo10",
    ];
    let mut versions: Vec<Version> = documented
        .iter()
        .map(|text| text.parse().expect("a label"))
        .collect();
    versions.sort();
    versions.reverse();
    let sorted: Vec<&str> = versions.iter().map(Version::as_str).collect();
    assert_eq!(sorted, documented);
}
