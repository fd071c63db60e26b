//! Rules, wherever they may stand, and how many of some fields are set.

use serde_json::json;

use crate::{
    place::Place,
    row::{Row, check, row},
};

/// What has rules.
#[kb::object]
#[kb(
    cel(
        "!has(self.low) || !has(self.high) || self.low <= self.high",
        message = "low is above high"
    ),
    at_most_one_of(image, chart)
)]
pub(crate) struct Rules {
    pub low: Option<i32>,
    pub high: Option<i32>,
    pub image: Option<String>,
    pub chart: Option<String>,
    #[kb(cel("self != 'a'"), cel("self != 'b'", message = "not b"))]
    pub letter: Option<String>,
    pub colour: Option<Colour>,
    pub choice: Option<Choice>,
    #[kb(cel(
        rule = "self.name.size() >= oldSelf.name.size()",
        message_expression = "'it was ' + oldSelf.name",
        reason = "FieldValueForbidden",
        field_path = ".name"
    ))]
    pub grows: Option<Named>,
    #[kb(cel(
        "oldSelf.hasValue() || self == 'new'",
        message = "it starts as new",
        optional_old_self
    ))]
    pub state: Option<String>,
    pub source: Option<Source>,
    #[kb(
        min_items = 1,
        max_items = 4,
        items(max_length = 8),
        cel("self.all(one, one.startsWith('x'))", message = "x first")
    )]
    pub marks: Option<Vec<String>>,
}

/// A newtype with a rule.
#[kb::object]
#[kb(cel("self.startsWith('#')", message = "a colour starts with #"))]
pub(crate) struct Colour(pub String);

/// An enum with a rule.
#[kb::object]
#[kb(cel("self != 'Old' || oldSelf == 'Old'", message = "Old is not for others"))]
pub(crate) enum Choice {
    Old,
    New,
}

/// A name.
#[kb::object]
pub(crate) struct Named {
    pub name: String,
}

/// Where something comes from.
#[kb::object]
#[kb(
    exactly_one_of(git, path),
    at_least_one_of("path", "last-resort", "git")
)]
pub(crate) struct Source {
    pub git: Option<String>,
    pub path: Option<String>,
    #[serde(rename = "last-resort")]
    pub last_resort: Option<String>,
}

/// All rows.
pub(crate) fn table() -> Vec<Row> {
    vec![
        row(&["cel"], "rules")
            .accepts(json!({"low": 1, "high": 1}))
            .accepts(json!({"low": 7}))
            .refuses(json!({"low": 2, "high": 1}), "low is above high"),
        row(&["at_most_one_of"], "rules")
            .accepts(json!({"image": "i"}))
            .accepts(json!({}))
            .refuses(
                json!({"image": "i", "chart": "c"}),
                "at most one of the fields in [image chart] may be set",
            ),
        row(&["cel"], "rules.letter")
            .accepts("c")
            .refuses("a", "self != 'a'")
            .refuses("b", "not b"),
        row(&["cel"], "rules.colour")
            .accepts("#fff")
            .refuses("red", "a colour starts with #"),
        row(&["cel"], "rules.choice")
            .accepts("Old")
            .changes("Old", "New")
            .stays("New", "Old", "Old is not for others"),
        row(&["cel"], "rules.grows")
            .changes(json!({"name": "a"}), json!({"name": "ab"}))
            .stays(
                json!({"name": "ab"}),
                json!({"name": "a"}),
                "grows.name: Forbidden: it was ab",
            ),
        row(&["cel"], "rules.state")
            .accepts("new")
            .refuses("old", "it starts as new")
            .changes("new", "old"),
        row(&["cel"], "rules.marks")
            .accepts(json!(["x", "xy"]))
            .refuses(json!(["x", "y"]), "x first"),
        row(&["exactly_one_of"], "rules.source")
            .accepts(json!({"git": "g"}))
            .refuses(
                json!({"git": "g", "path": "p"}),
                "exactly one of the fields in [git path] must be set",
            )
            .refuses(
                json!({"last-resort": "l"}),
                "exactly one of the fields in [git path] must be set",
            ),
        row(&["at_least_one_of"], "rules.source")
            .accepts(json!({"path": "p", "last-resort": "l"}))
            .refuses(
                json!({}),
                "at least one of the fields in [path last-resort git] must be set",
            ),
    ]
}

#[tokio::test]
async fn every_rule_lets_pass_what_it_says_and_refuses_the_rest() {
    check(table()).await;
}

#[tokio::test]
async fn a_rule_of_the_kind_sees_the_name() {
    let Some(place) = Place::new().await else {
        return;
    };
    for (name, is_refused) in [("root", true), ("anybody", false)] {
        let object = json!({
            "apiVersion": "schemas.example.com/v1", "kind": "Bounded", "metadata": {"name": name}, "spec": {},
        });
        let path = "/apis/schemas.example.com/v1/namespaces/default/boundeds?dryRun=All";
        let answer = place.create(path, &object).await;
        assert_eq!(answer.is_success(), !is_refused, "{answer:?}");
        assert_eq!(answer.message().contains("this name is taken"), is_refused);
    }
}
