//! Doc comments become descriptions.

mod support;

use support::{fields, object};

#[test]
fn cleans_docs_like_controller_gen() {
    let rows = [
        ("/// One line.", "One line."),
        ("///No blank.", "No blank."),
        (
            "/// First.\n///\n///   indented  \n/// Last.  ",
            "First.\n\n  indented\nLast.",
        ),
        (
            "/// Kept.\n/// TODO: dropped\n/// Kept, too.",
            "Kept.\nKept, too.",
        ),
        ("/// Kept.\n/// ---\n/// For developers.", "Kept."),
        (
            "/// Code:\n/// ```\n/// TODO stays\n/// --- stays\n/// ```\n/// --- goes",
            "Code:\n```\nTODO stays\n--- stays\n```",
        ),
        ("#[doc = \" An attribute.\"]", "An attribute."),
        ("#[doc = include_str!(\"x\")]\n/// Only this.", "Only this."),
        ("#[doc(hidden)]", ""),
        ("/** One block. */", "One block."),
        (
            "/**\n * With stars.\n *   And indent.\n */",
            "With stars.\n  And indent.",
        ),
        (
            "/**\n    Without stars.\n      And indent.\n    */",
            "Without stars.\n  And indent.",
        ),
        ("// No doc.", ""),
    ];
    for (comment, expected) in rows {
        let object = object(&format!("{comment}\nstruct Foo {{}}"));
        assert_eq!(object.def.docs, expected, "{comment}");
        let fields = fields(&format!("struct Foo {{ {comment}\n x: i32 }}"));
        assert_eq!(fields[0].docs, expected, "{comment}");
    }
}
