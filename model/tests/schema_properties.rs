//! Property tests of schemas.

mod definitions;
mod random;

use kb_model::crd::{Options, build};
use kb_model::schema::KEYWORDS;
use proptest::prelude::*;
use serde_json::Value;

/// Collects a schema and all schemas in it.
fn schemas<'s>(schema: &'s Value, all: &mut Vec<&'s serde_json::Map<String, Value>>) {
    let Value::Object(keywords) = schema else {
        panic!("{schema} is no schema")
    };
    all.push(keywords);
    for (keyword, value) in keywords {
        match keyword.as_str() {
            "properties" => {
                let properties = value.as_object().expect("properties");
                for schema in properties.values() {
                    schemas(schema, all);
                }
            }
            "allOf" | "anyOf" | "oneOf" => {
                let parts = value.as_array().expect("parts");
                for schema in parts {
                    schemas(schema, all);
                }
            }
            "items" | "additionalProperties" | "not" => schemas(value, all),
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn schemas_have_only_crd_keywords_and_no_empty_values(definition in random::definition()) {
        match build(std::slice::from_ref(&definition), &Options::default()) {
            Err(problems) => prop_assert!(problems.iter().all(|problem| !problem.message.is_empty())),
            Ok(crds) => {
                let mut all = Vec::new();
                schemas(&crds[0].document["spec"]["versions"][0]["schema"]["openAPIV3Schema"], &mut all);
                for keywords in all {
                    for (keyword, value) in keywords {
                        prop_assert!(KEYWORDS.contains(&keyword.as_str()), "{keyword}");
                        let is_empty = match value {
                            Value::Array(values) => values.is_empty(),
                            Value::Object(values) => values.is_empty(),
                            Value::String(text) => text.is_empty(),
                            Value::Null => true,
                            _ => false,
                        };
                        prop_assert!(!is_empty || keyword == "default", "{keyword}");
                    }
                    if let Some(Value::Array(required)) = keywords.get("required") {
                        prop_assert!(required.is_sorted_by_key(|name| name.as_str()));
                    }
                }
            }
        }
    }

    #[test]
    fn schemas_are_deterministic(definition in random::definition()) {
        let build = || build(std::slice::from_ref(&definition), &Options::default());
        prop_assert_eq!(build(), build());
    }
}
