//! Every snapshot belongs to exactly one case of its test program.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read and fail"
)]

use std::path::Path;

use scaffold_tests::Tree;

#[test]
fn every_snapshot_belongs_to_one_case() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let sources = Tree::read(&tests).unwrap();
    let snapshots = Tree::read(&tests.join("snapshots")).unwrap();
    assert!(snapshots.files().count() > 50, "snapshots were not found");
    let mut problems = Vec::new();
    for (path, _) in snapshots.files() {
        let (program, file) = path.split_once('/').unwrap();
        let case = format!("\"{}\"", file.trim_end_matches(".txt"));
        let (file, dir) = (format!("{program}.rs"), format!("{program}/"));
        let uses = sources
            .files()
            .filter(|(path, _)| *path == file || path.starts_with(&dir))
            .map(|(_, text)| text.matches(&case).count());
        match uses.sum() {
            0 => problems.push(format!("{path} is unused: remove it")),
            1 => {}
            more => problems.push(format!("{path} is the snapshot of {more} cases")),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
