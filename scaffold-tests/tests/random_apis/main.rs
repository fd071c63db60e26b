//! Random APIs: `kb-rs generate` reads from sources what rustc compiles.
//!
//! One crate contains all of them, and is compiled once. `PROPTEST_RNG_SEED` pins the seed, `KB_RANDOM_APIS` sets their number.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

mod fields;
mod module;
mod types;

use std::env;

use proptest::test_runner::{Config, TestRunner};
use scaffold_tests::Cargo;
use similar::TextDiff;

use module::Module;

#[test]
fn sources_and_rustc_agree_on_random_apis() {
    let count = env::var("KB_RANDOM_APIS").map_or(48, |count| count.parse().unwrap());
    let mut runner = TestRunner::new(Config::default());
    let modules: Vec<Module> = (0..count)
        .map(|number| Module::random(number, runner.rng()))
        .collect();

    let cargo = Cargo::new().unwrap();
    let project = cargo.scratch("random", &module::sources(&modules)).unwrap();
    let [read, built] =
        [&[][..], &["--build"]].map(|arguments| cargo.crds(&project, arguments).unwrap());
    assert_eq!(read.len(), count);
    for module in &modules {
        let [read, built] =
            [&read, &built].map(|crds| serde_json::to_string_pretty(&crds[&module.kind]).unwrap());
        let sources: Vec<&str> = module.files.iter().map(|(_, text)| text.as_str()).collect();
        assert!(
            read == built,
            "sources (-) and rustc (+) differ:\n{}\n{}",
            TextDiff::from_lines(&read, &built).unified_diff(),
            sources.join("\n")
        );
    }
}
