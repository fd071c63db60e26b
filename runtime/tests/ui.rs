//! What the compiler says of wrong APIs. Right ones are the other tests of this package.
//!
//! After a change of a message: `TRYBUILD=overwrite cargo test -p kb-runtime --test ui`.

#[test]
fn wrong_apis_have_their_messages() {
    let cases = trybuild::TestCases::new();
    // What only the type system knows.
    cases.compile_fail("tests/ui/fail/*.rs");
    // One mistake a file; the command is held against the same files, in scaffold-tests.
    cases.compile_fail("tests/mistakes/*.rs");
}
