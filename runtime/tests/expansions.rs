//! Compiles the committed expansions of kb's attributes.

#![allow(
    missing_docs,
    dead_code,
    unreachable_pub,
    reason = "descriptions are not tested, and most items are unused"
)]

// Not `#[path]`: rustfmt would reformat the committed output.
mod enums {
    include!("../../macros/tests/expansions/enums.rs");
}
mod newtypes {
    include!("../../macros/tests/expansions/newtypes.rs");
}
mod no_spec {
    include!("../../macros/tests/expansions/no_spec.rs");
}
mod rbac {
    include!("../../macros/tests/expansions/rbac.rs");
}
mod resource {
    include!("../../macros/tests/expansions/resource.rs");
}

#[test]
fn expansions_provide_the_crd() {
    let crd = resource::App::crd();
    assert_eq!(crd.metadata.name.as_deref(), Some("apps.example.com"));
}

#[test]
fn expansions_provide_the_rbac_rules() {
    assert_eq!(rbac::Controller::<u8>::RULES.len(), 2);
    assert_eq!(rbac::Controller::<u8>::RULES[0].verbs, ["get", "list"]);
    assert_eq!(rbac::Mode::RULES[0].urls, ["/metrics"]);
}
