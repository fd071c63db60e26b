//! Steps of the Dockerfile, run by a shell: what is left of a project to build its dependencies from, and for which machine it is built.

use std::{env, fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use scaffold_tests::Tree;

use crate::files::{goldens, is_a};

/// The scripts of all RUNs, as `sh` gets them.
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
fn what_is_left_for_the_dependencies_are_manifests_and_a_stub_of_each_source() {
    for golden in goldens() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("src");
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

        // The root of the file system is the image's, and here it is not.
        let stub = folder.path().join("stub.rs").display().to_string();
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
fn the_ignore_file_lets_nothing_in_again() {
    for golden in goldens() {
        let rules = golden.tree.get(".dockerignore").unwrap().lines();
        for rule in rules.filter(|rule| !rule.starts_with('#')) {
            assert!(!rule.contains('!'), "{}: {rule}", golden.name);
            // What it leaves out is not what the image is built from.
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

/// Puts programs into a folder that say how they were called.
fn fake_programs(folder: &Path) {
    for (name, text) in [
        ("dpkg", "echo amd64"),
        ("apt-get", "echo apt-get \"$@\""),
        ("rustup", "echo rustup \"$@\""),
    ] {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn another_architecture_gets_its_compiler_and_the_own_one_nothing() {
    let script = runs(goldens()[0].tree.get("Dockerfile").unwrap()).remove(1);
    let folder = tempfile::tempdir().unwrap();
    fake_programs(folder.path());
    let path = format!("{}:{}", folder.path().display(), env::var("PATH").unwrap());
    let config = folder.path().join("config.toml");
    for (architecture, target, called) in [
        // Without BuildKit and Podman nobody sets it.
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
            .env("CARGO_HOME", folder.path())
            .env("TARGETARCH", architecture)
            .output()
            .unwrap();
        assert!(output.status.success(), "{architecture}: {output:?}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), called);
        let config = fs::read_to_string(&config).unwrap();
        let built_for = format!("[build]\ntarget = \"{target}\"\n");
        assert!(config.starts_with(&built_for), "{config}");
        assert_eq!(config.contains("linker = "), !called.is_empty(), "{config}");
    }
    let mut unknown = Command::new("sh");
    unknown.args(["-c", &script]).env("PATH", &path);
    let unknown = unknown.env("TARGETARCH", "riscv64").output().unwrap();
    assert!(!unknown.status.success());
}
