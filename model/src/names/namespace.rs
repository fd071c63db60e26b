//! Name of a namespace.

use super::label::Rule;
use super::newtype::newtype;
use crate::NameError;

const RULE: Rule = Rule::dns1123_label("namespace", "shop-system");

newtype! {
    /// A DNS-1123 label of at most 63 characters, such as `shop-system`.
    #[derive(PartialOrd, Ord)]
    pub struct Namespace
}

fn check(text: &str) -> Result<(), NameError> {
    RULE.check(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::check::{accepts, rejects};

    #[test]
    fn a_namespace_is_a_label() {
        accepts::<Namespace>(&["default", "kube-system", "1st"]);
        rejects::<Namespace>(&[
            ("Shop", "contains the upper-case letter 'S'", "try `shop`"),
            ("a.b", "contains a dot", "try `a-b`"),
            ("", "is empty", "set one, such as `shop-system`"),
        ]);
    }
}
