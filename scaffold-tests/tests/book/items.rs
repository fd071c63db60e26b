//! Tests of the item finder.

use crate::item::find;

const SOURCE: &str = "\
//! A source.

/// Shared state.
pub struct Context {
    name: String,
}
const NAME: &str = \"shop\";

/// Reconciles.
#[kb::rbac(
    groups = \"apps\",
    verbs = \"get\"
)]
#[rustfmt::skip]
pub async fn reconcile(
    object: Arc<Shop>,
) -> Result<Action, Error> {
    let desired = Shop {
        name: 1,
    };

    Ok(Action::await_change())
}

impl Context {
    /// A method.
    pub(crate) fn reconcile_all(&self) {}

    fn other(&self) -> u8 {
        1
    }
}
";

#[test]
fn finds_a_function_with_its_attributes_and_comments() {
    let found = find(SOURCE, "fn reconcile").unwrap();
    assert!(
        found.starts_with("/// Reconciles.\n#[kb::rbac(\n"),
        "{found}"
    );
    assert!(
        found.ends_with("\n    Ok(Action::await_change())\n}"),
        "{found}"
    );
}

#[test]
fn separates_adjacent_items() {
    assert_eq!(
        find(SOURCE, "const NAME").unwrap(),
        "const NAME: &str = \"shop\";"
    );
    let context = "/// Shared state.\npub struct Context {\n    name: String,\n}";
    assert_eq!(find(SOURCE, "struct Context").unwrap(), context);
    assert_eq!(
        find(SOURCE, "fn other").unwrap(),
        "fn other(&self) -> u8 {\n    1\n}"
    );
    let short = "/// A method.\npub(crate) fn reconcile_all(&self) {}";
    assert_eq!(find(SOURCE, "fn reconcile_all").unwrap(), short);
}

#[test]
fn returns_none_for_unknown_items() {
    assert_eq!(find(SOURCE, "fn reconcil"), None);
    assert_eq!(find(SOURCE, "struct Shop"), None);
}
