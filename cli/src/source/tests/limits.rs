//! Limits: sources that would exhaust memory, time or the stack are rejected with a diagnostic.

use std::{thread, time::Instant};

use kb_model::crd::{self, Options};

use super::{
    super::{Diagnostic, STACK_SIZE, read},
    support::{lib, read_tree, tree},
};
use crate::plan::RelPath;

/// Runs like the command, on a thread with a large stack.
fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_SIZE);
        thread.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

/// Returns the errors of an API crate with this file.
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

/// Concatenates `text` of the numbers below `count`.
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
fn rejects_unbounded_generic_arguments() {
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
        let expected = "the generic arguments of `Rec` are longer than 2048 characters";
        let pair = "the generic arguments of `Pair` are longer than 2048 characters";
        assert!(
            [expected, pair].contains(&error.message.as_str()),
            "{error:#?}"
        );
        assert_eq!((error.line, error.column), (3, column), "{error:#?}");
    }
}

#[test]
fn rejects_too_many_generic_instances() {
    let item = "#[kb::object] pub struct Count<const N: usize> { pub next: Option<Box<Count<{ N + 1 }>>> }";
    let error = only(&lib("pub field: Count<0>,", item));
    assert_eq!(
        error.message,
        "`Count` exceeds the limit of 10000 instances of generic types"
    );
}

#[test]
fn rejects_exponential_schemas() {
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
fn rejects_too_deep_schemas() {
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
fn rejects_exponential_defaults() {
    let constants = lines(24, |n| {
        let next = n + 1;
        format!("const C{n}: i64 = C{next} + C{next};\n")
    });
    let constants = format!("{constants}const C24: i64 = 1;");
    let error = only(&lib("#[kb(default = C0)] pub field: i64,", &constants));
    assert_eq!(
        error.message,
        "evaluating this default takes more than 100000 steps"
    );
}

#[test]
fn rejects_a_recursive_newtype_as_map_key() {
    let item = "#[kb::object] pub struct Key(Box<Key>);";
    let field = "pub field: std::collections::BTreeMap<Key, i32>,";
    let errors = errors(&lib(field, item));
    assert_eq!(
        errors[0].message,
        "`Key` cannot be the key of a map: it is not serialized as a string"
    );
}

const TOO_DEEP: &str = "more than 3000 tokens are nested here";

/// Nested syntax: the context, the repeated prefix, the core, the repeated suffix, and a name.
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
fn rejects_too_deep_nesting_before_parsing() {
    for (around, parts, what) in NESTED {
        let error = only(&nested(around, parts, 20_000));
        assert_eq!(error.message, TOO_DEEP, "{what}");
        assert_eq!(error.line, 1, "{what}");
        assert!(error.column > 1, "{what}");
    }
}

#[test]
fn parses_moderate_nesting() {
    for (around, parts, what) in NESTED {
        let is_refused = |times: &usize| {
            let errors = errors(&nested(around, parts, *times));
            errors.iter().any(|error| error.message == TOO_DEEP)
        };
        let times = [3000, 1500, 1000, 750, 600, 500, 400];
        let accepted = times.iter().find(|times| !is_refused(times));
        assert!(accepted.is_some(), "{what}");
    }
}

#[test]
fn reads_long_sources_with_little_nesting() {
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
fn rejects_exponential_modules() {
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
    assert!(
        message.ends_with("is used by more than 64 modules"),
        "{message}"
    );
}
