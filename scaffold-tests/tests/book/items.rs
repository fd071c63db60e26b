//! The items that the book takes out of sources.

use crate::item::find;

const SOURCE: &str = "\
//! A source.

/// What it takes.
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
    let wanted = Shop {
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
fn a_function_comes_with_its_attributes_and_comments() {
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
fn an_item_ends_where_the_next_begins() {
    assert_eq!(
        find(SOURCE, "const NAME").unwrap(),
        "const NAME: &str = \"shop\";"
    );
    let context = "/// What it takes.\npub struct Context {\n    name: String,\n}";
    assert_eq!(find(SOURCE, "struct Context").unwrap(), context);
    assert_eq!(
        find(SOURCE, "fn other").unwrap(),
        "fn other(&self) -> u8 {\n    1\n}"
    );
    let short = "/// A method.\npub(crate) fn reconcile_all(&self) {}";
    assert_eq!(find(SOURCE, "fn reconcile_all").unwrap(), short);
}

#[test]
fn what_is_not_there_is_not_found() {
    assert_eq!(find(SOURCE, "fn reconcil"), None);
    assert_eq!(find(SOURCE, "struct Shop"), None);
}
