//! How long a large API takes. Not a test of the suite: `cargo test --release -p kb-rs thousand_kinds -- --ignored --nocapture`.

use std::{fmt::Write, time::Instant};

use super::memory::complete;

#[test]
#[ignore = "a measurement"]
fn thousand_kinds() {
    const COUNT: usize = 1000;
    let mut modules = String::new();
    let mut exports = String::new();
    let mut list = String::new();
    let mut files = Vec::new();
    for number in 0..COUNT {
        let _ = writeln!(modules, "mod kind{number};");
        let _ = writeln!(exports, "pub use kind{number}::*;");
        let _ = writeln!(list, "        v1::Kind{number}::definition(),");
        let text = include_str!("kind.txt").replace("NAME", &format!("Kind{number}"));
        files.push((format!("api/src/v1/kind{number}.rs"), text));
    }
    let root = format!(
        "pub mod v1;\npub fn definitions() -> Vec<kb::Definition> {{\n    vec![\n{list}    ]\n}}\n"
    );
    files.push((
        "api/src/v1/mod.rs".to_owned(),
        format!("{modules}\n{exports}"),
    ));
    files.push(("api/src/lib.rs".to_owned(), root));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(p, t)| (p.as_str(), t.as_str()))
        .collect();
    for _ in 0..3 {
        let start = Instant::now();
        let reading = complete(&files);
        let took = start.elapsed();
        assert_eq!(reading.definitions.len(), COUNT);
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("{COUNT} kinds: {took:?}\n"),
        );
    }
}
