//! Compile errors of wrong APIs: those that only the type system finds, and samples of those that the reader of markers reports.
//!
//! The messages of the reader are tested where they are produced, in kb-markers. These depend on the version of rustc: after a change, run
//! `TRYBUILD=overwrite cargo test -p kb-runtime --test ui`.

#[test]
fn wrong_apis_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/fail/*.rs");
}
