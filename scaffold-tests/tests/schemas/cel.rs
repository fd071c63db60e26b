//! CEL rules on all kinds of types, and unions of fields.

use serde_json::json;

use crate::{
    api_server::ApiServer,
    row::{Row, check, row},
};

/// Fields with rules.
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
    pub color: Option<Color>,
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
#[kb(cel("self.startsWith('#')", message = "a color starts with #"))]
pub(crate) struct Color(pub String);

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

/// A source.
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

/// Returns all rows.
pub(crate) fn table() -> Vec<Row> {
    vec![
        row(&["cel"], "rules")
            .accepts(json!({"low": 1, "high": 1}))
            .accepts(json!({"low": 7}))
            .rejects(json!({"low": 2, "high": 1}), "low is above high"),
        row(&["at_most_one_of"], "rules")
            .accepts(json!({"image": "i"}))
            .accepts(json!({}))
            .rejects(
                json!({"image": "i", "chart": "c"}),
                "at most one of the fields in [image chart] may be set",
            ),
        row(&["cel"], "rules.letter")
            .accepts("c")
            .rejects("a", "self != 'a'")
            .rejects("b", "not b"),
        row(&["cel"], "rules.color")
            .accepts("#fff")
            .rejects("red", "a color starts with #"),
        row(&["cel"], "rules.choice")
            .accepts("Old")
            .accepts_update("Old", "New")
            .rejects_update("New", "Old", "Old is not for others"),
        row(&["cel"], "rules.grows")
            .accepts_update(json!({"name": "a"}), json!({"name": "ab"}))
            .rejects_update(
                json!({"name": "ab"}),
                json!({"name": "a"}),
                "grows.name: Forbidden: it was ab",
            ),
        row(&["cel"], "rules.state")
            .accepts("new")
            .rejects("old", "it starts as new")
            .accepts_update("new", "old"),
        row(&["cel"], "rules.marks")
            .accepts(json!(["x", "xy"]))
            .rejects(json!(["x", "y"]), "x first"),
        row(&["exactly_one_of"], "rules.source")
            .accepts(json!({"git": "g"}))
            .rejects(
                json!({"git": "g", "path": "p"}),
                "exactly one of the fields in [git path] must be set",
            )
            .rejects(
                json!({"last-resort": "l"}),
                "exactly one of the fields in [git path] must be set",
            ),
        row(&["at_least_one_of"], "rules.source")
            .accepts(json!({"path": "p", "last-resort": "l"}))
            .rejects(
                json!({}),
                "at least one of the fields in [path last-resort git] must be set",
            ),
    ]
}

#[tokio::test]
async fn rules_accept_and_reject_values() {
    check(table()).await;
}

#[tokio::test]
async fn a_rule_of_the_kind_can_access_the_name() {
    let Some(server) = ApiServer::new().await else {
        return;
    };
    for (name, is_rejected) in [("root", true), ("other", false)] {
        let object = json!({
            "apiVersion": "schemas.example.com/v1", "kind": "Validated", "metadata": {"name": name}, "spec": {},
        });
        let path = "/apis/schemas.example.com/v1/namespaces/default/validateds?dryRun=All";
        let response = server.create(path, &object).await;
        assert_eq!(response.is_success(), !is_rejected, "{response:?}");
        assert_eq!(
            response.message().contains("this name is taken"),
            is_rejected
        );
    }
}
