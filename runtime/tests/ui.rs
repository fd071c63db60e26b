//! Compile errors of invalid APIs: those found by the type system, and samples of those reported by the marker parser.
//!
//! The messages of the parser are tested in kb-markers. These depend on the version of rustc: after a change, run
//! `TRYBUILD=overwrite cargo test -p kb-runtime --test ui`.

#[test]
fn invalid_apis_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/fail/*.rs");
}
