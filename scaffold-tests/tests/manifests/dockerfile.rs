//! Executes steps of the Dockerfile in a shell: the sources for the build of dependencies, and cross-compilation.

use std::{env, fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use scaffold_tests::Tree;

use crate::files::{goldens, is_a};

/// Returns the scripts of all RUN instructions.
fn runs(dockerfile: &str) -> Vec<String> {
    let mut runs = Vec::new();
    for run in dockerfile.split("\nRUN ").skip(1) {
        let mut script = String::new();
        for line in run.lines() {
            script.push_str(line);
            script.push('\n');
            if !line.ends_with('\\') {
                break;
            }
        }
        runs.push(script);
    }
    runs
}

#[test]
fn dependencies_are_built_from_manifests_and_stubs_of_sources() {
    for golden in goldens() {
        let dir = tempfile::tempdir().unwrap();
        let project = dir.path().join("src");
        golden.tree.write(&project).unwrap();
        for (path, text) in [
            ("Cargo.lock", "version = 4\n"),
            ("rust-toolchain.toml", "[toolchain]\n"),
            (".cargo/config.toml", "[net]\n"),
        ] {
            let path = project.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let before = Tree::read(&project).unwrap();

        // Here the root of the file system is not that of an image.
        let stub = dir.path().join("stub.rs").display().to_string();
        let script = runs(golden.tree.get("Dockerfile").unwrap())[0].replace("/stub.rs", &stub);
        let status = Command::new("sh")
            .args(["-ec", &script])
            .current_dir(&project)
            .status();
        assert!(status.unwrap().success(), "{script}");

        let is_kept = |path: &str| {
            is_a("rs", path)
                || path.ends_with("Cargo.toml")
                || ["Cargo.lock", "rust-toolchain.toml", ".cargo/config.toml"].contains(&path)
        };
        let after = Tree::read(&project).unwrap();
        let expected: Vec<&str> = before
            .files()
            .map(|(path, _)| path)
            .filter(|path| is_kept(path))
            .collect();
        let found: Vec<&str> = after.files().map(|(path, _)| path).collect();
        assert_eq!(found, expected, "{}", golden.name);
        for (path, text) in after.files() {
            let is_stub = text == "#![allow(dead_code, missing_docs)] fn main() {}\n";
            assert_eq!(is_stub, is_a("rs", path), "{}/{path}", golden.name);
        }
    }
}

#[test]
fn the_ignore_file_has_no_exceptions() {
    for golden in goldens() {
        let rules = golden.tree.get(".dockerignore").unwrap().lines();
        for rule in rules.filter(|rule| !rule.starts_with('#')) {
            assert!(!rule.contains('!'), "{}: {rule}", golden.name);
            // It does not exclude sources.
            let is_source = |path: &str| is_a("rs", path) || path.ends_with("Cargo.toml");
            let prefix = format!("{}/", rule.trim_start_matches("**/"));
            let mut sources = golden.tree.files().filter(|(path, _)| is_source(path));
            assert!(
                !sources.any(|(path, _)| path.starts_with(&prefix)),
                "{rule}"
            );
        }
    }
}

/// Writes programs that print their arguments.
fn write_fake_programs(dir: &Path) {
    for (name, text) in [
        ("dpkg", "echo amd64"),
        ("apt-get", "echo apt-get \"$@\""),
        ("rustup", "echo rustup \"$@\""),
    ] {
        let path = dir.join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn only_another_architecture_needs_a_cross_compiler() {
    let script = runs(goldens()[0].tree.get("Dockerfile").unwrap()).remove(1);
    let dir = tempfile::tempdir().unwrap();
    write_fake_programs(dir.path());
    let path = format!("{}:{}", dir.path().display(), env::var("PATH").unwrap());
    let config = dir.path().join("config.toml");
    for (architecture, target, calls) in [
        // Only BuildKit and Podman set it.
        ("", "x86_64-unknown-linux-gnu", ""),
        ("amd64", "x86_64-unknown-linux-gnu", ""),
        (
            "arm64",
            "aarch64-unknown-linux-gnu",
            "apt-get update\n\
             apt-get install -y --no-install-recommends gcc-aarch64-linux-gnu libc6-dev-arm64-cross\n\
             rustup target add aarch64-unknown-linux-gnu\n",
        ),
    ] {
        let _ = fs::remove_file(&config);
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("PATH", &path)
            .env("CARGO_HOME", dir.path())
            .env("TARGETARCH", architecture)
            .output()
            .unwrap();
        assert!(output.status.success(), "{architecture}: {output:?}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), calls);
        let config = fs::read_to_string(&config).unwrap();
        let built_for = format!("[build]\ntarget = \"{target}\"\n");
        assert!(config.starts_with(&built_for), "{config}");
        assert_eq!(config.contains("linker = "), !calls.is_empty(), "{config}");
    }
    let mut unknown = Command::new("sh");
    unknown.args(["-c", &script]).env("PATH", &path);
    let unknown = unknown.env("TARGETARCH", "riscv64").output().unwrap();
    assert!(!unknown.status.success());
}
