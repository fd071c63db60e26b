//! Hostile sources: limits on memory, time and stack depth end in a diagnostic.

use std::{thread, time::Instant};

use kb_model::crd::{self, Options};

use super::{
    super::{Diagnostic, STACK_SIZE, read},
    support::{lib, read_tree, tree},
};
use crate::plan::RelPath;

/// Runs as the command does: on a thread with a large stack.
fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_SIZE);
        thread.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

/// What is errors with an API crate of this file.
fn errors(text: &str) -> Vec<Diagnostic> {
    on_a_large_stack(|| {
        let support = tree(&[("api/src/lib.rs", text)]);
        match read(&RelPath::new("api"), &support) {
            Err(errors) => errors,
            Ok(reading) => {
                let built = crd::build(&reading.definitions, &Options::default());
                let problems = built.err().unwrap_or_default();
                let located = problems.iter().map(|it| reading.sources.locate(it));
                located.collect()
            }
        }
    })
}

/// The texts that `text` makes of the numbers below `count`.
fn lines(count: usize, text: impl Fn(usize) -> String) -> String {
    let lines: Vec<String> = (0..count).map(text).collect();
    lines.concat()
}

#[track_caller]
fn only(text: &str) -> Diagnostic {
    let started = Instant::now();
    let mut errors = errors(text);
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    assert_eq!(errors.len(), 1, "{errors:#?}");
    let error = errors.remove(0);
    assert_eq!(error.path.as_str(), "api/src/lib.rs");
    error
}

#[test]
fn a_generic_type_that_grows_without_end_is_refused_where_it_does() {
    for (item, column) in [
        (
            "#[kb::object] pub struct Rec<T> { pub next: Option<Box<Rec<Vec<T>>>> }",
            56,
        ),
        (
            "#[kb::object] pub struct Rec<T> { pub next: Option<Box<Rec<Pair<T, T>>>> }
             #[kb::object] pub struct Pair<A, B> { pub a: A, pub b: B }",
            60,
        ),
    ] {
        let error = only(&lib("pub field: Rec<i32>,", item));
        assert!(
            error.message.contains("generic arguments"),
            "{}",
            error.message
        );
        assert_eq!((error.line, error.column), (3, column), "{error:#?}");
    }
}

#[test]
fn more_generic_types_than_any_api_has_are_refused() {
    let item = "#[kb::object] pub struct Count<const N: usize> { pub next: Option<Box<Count<{ N + 1 }>>> }";
    let error = only(&lib("pub field: Count<0>,", item));
    assert!(
        error.message.contains("more than 10000 types"),
        "{}",
        error.message
    );
}

#[test]
fn structs_that_double_each_other_are_refused() {
    let structs = lines(24, |n| {
        let next = n + 1;
        format!("#[kb::object] pub struct S{n} {{ pub a: S{next}, pub b: S{next} }}\n")
    });
    let last = "#[kb::object] pub struct S24 { pub x: i32 }";
    let error = only(&lib("pub field: S0,", &format!("{structs}{last}")));
    let message = &error.message;
    assert!(message.contains("more than 30000 nodes"), "{message}");
    assert!(error.line > 2, "{error:#?}");
}

#[test]
fn structs_that_are_nested_too_deep_are_refused() {
    let structs = lines(1000, |n| {
        let next = n + 1;
        format!("#[kb::object] pub struct S{n} {{ pub a: S{next} }}\n")
    });
    let last = "#[kb::object] pub struct S1000 { pub x: i32 }";
    let error = only(&lib("pub field: S0,", &format!("{structs}{last}")));
    let message = &error.message;
    assert!(message.contains("more than 128 levels deep"), "{message}");
}

#[test]
fn defaults_that_take_long_to_compute_are_refused() {
    let constants = lines(24, |n| {
        let next = n + 1;
        format!("const C{n}: i64 = C{next} + C{next};\n")
    });
    let constants = format!("{constants}const C24: i64 = 1;");
    let error = only(&lib("#[kb(default = C0)] pub field: i64,", &constants));
    assert!(error.message.contains("steps"), "{}", error.message);
}

#[test]
fn a_newtype_of_itself_is_no_key() {
    let item = "#[kb::object] pub struct Key(Box<Key>);";
    let field = "pub field: std::collections::BTreeMap<Key, i32>,";
    let errors = errors(&lib(field, item));
    let message = &errors[0].message;
    assert!(message.contains("key of a map"), "{message}");
}

/// What nests in each other: around, what is repeated before and behind, and inside.
const NESTED: [(&str, [&str; 3], &str); 21] = [
    ("const A: i32 = @;", ["(", "1", ")"], "parentheses"),
    ("const A: i32 = @;", ["[", "1", "]"], "lists"),
    ("const A: i32 = @;", ["{", "1", "}"], "blocks"),
    ("const A: i32 = @;", ["!", "1", ""], "not"),
    ("const A: i32 = @;", ["-", "1", ""], "minus"),
    ("const A: i32 = @;", ["&", "1", ""], "references"),
    ("const A: i32 = @;", ["1 + ", "1", ""], "sums"),
    ("const A: i32 = @;", ["a = ", "1", ""], "assignments"),
    ("const A: i32 = @;", ["|| ", "1", ""], "closures"),
    ("const A: i32 = @;", ["return ", "1", ""], "returns"),
    ("const A: i32 = @;", ["", "a", ".b"], "fields"),
    ("const A: i32 = @;", ["", "a", ".b()"], "methods"),
    ("const A: i32 = @;", ["", "a", "?"], "tries"),
    ("const A: i32 = @;", ["", "a", " as B"], "casts"),
    ("const A: i32 = @;", ["if a {} else ", "{}", ""], "else ifs"),
    ("const A: i32 = @;", ["if ", "a", " {}"], "conditions"),
    ("struct A(@);", ["&", "B", ""], "types of references"),
    ("struct A(@);", ["Option<", "B", ">"], "generic types"),
    ("struct A(@);", ["<", "B", " as C>::D"], "qualified paths"),
    ("struct A(@);", ["fn() -> ", "B", ""], "functions"),
    ("use @;", ["a::", "b", ""], "paths of imports"),
];

fn nested(around: &str, [before, inside, behind]: [&str; 3], times: usize) -> String {
    let repeated = format!("{}{inside}{}", before.repeat(times), behind.repeat(times));
    around.replace('@', &repeated)
}

#[test]
fn what_nests_too_deep_is_refused_before_it_is_parsed() {
    for (around, parts, what) in NESTED {
        let error = only(&nested(around, parts, 20_000));
        assert!(
            error.message.contains("nested in each other"),
            "{what}: {}",
            error.message
        );
        assert_eq!(error.line, 1, "{what}");
        assert!(error.column > 1, "{what}");
    }
}

#[test]
fn what_nests_less_deep_is_parsed() {
    for (around, parts, what) in NESTED {
        // The largest that is not refused.
        let is_refused = |times: &usize| {
            let errors = errors(&nested(around, parts, *times));
            errors
                .iter()
                .any(|it| it.message.contains("nested in each other"))
        };
        let times = [3000, 1500, 1000, 750, 600, 500, 400];
        let accepted = times.iter().find(|times| !is_refused(times));
        assert!(accepted.is_some(), "{what}");
    }
}

#[test]
fn long_sources_that_nest_little_are_read() {
    let arms = lines(400, |n| {
        format!("(Some({n}), _) => {{ a.b().c(); }}\n \"x{n}\" => {{}}\n")
    });
    let functions = lines(1000, |n| {
        format!("#[inline] pub(crate) fn f{n}() -> Result<(), Error> {{ Ok(()) }}\n")
    });
    let items = format!("fn long() {{ match a {{ {arms} }} }} {functions}");
    let reading = read_tree(&[("api/src/lib.rs", &lib("pub field: i32,", &items))]);
    assert!(reading.is_ok(), "{:#?}", reading.err());
}

#[test]
fn modules_that_double_each_other_are_refused() {
    let files: Vec<(String, String)> = (0..24)
        .map(|n| {
            let next = format!("#[path = \"f{}.rs\"]", n + 1);
            let path = format!("api/src/f{n}.rs");
            (path, format!("{next} pub mod a; {next} pub mod b;"))
        })
        .chain([("api/src/f24.rs".to_owned(), String::new())])
        .chain([(
            "api/src/lib.rs".to_owned(),
            lib("", "#[path = \"f0.rs\"] mod f;"),
        )])
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let errors = read_tree(&files).err().unwrap_or_default();
    let message = &errors[0].message;
    assert!(message.contains("more than 64 modules"), "{message}");
}
