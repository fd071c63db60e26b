//! The slow path of `generate`: builds the project's crdgen, which prints the CRDs as a JSON list.
//!
//! Builds with `--workspace`: `-p` selects other features, and would compile k8s-openapi a second time.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Output, Stdio},
};

use serde_json::Value;

use super::{artifact, quote::quote};
use crate::problem::Problem;

const PROGRAM: &str = "crdgen";
const RESTORE: &str = "api/src/bin/crdgen.rs must call `kb::crdgen` and print nothing else";

/// Cargo in a project.
#[derive(Debug)]
pub(crate) struct Cargo<'a> {
    /// Path of the cargo executable.
    pub(crate) program: &'a Path,
    /// Project root.
    pub(crate) root: &'a Path,
    /// Whether to hide cargo's progress.
    pub(crate) quiet: bool,
}

/// Output of crdgen.
#[derive(Debug)]
pub(crate) struct Printed {
    /// CRDs.
    pub(crate) documents: Vec<Value>,
    /// Standard error, if not empty.
    pub(crate) remarks: Option<String>,
}

impl Cargo<'_> {
    /// Builds and runs crdgen. The CRDs named in `converted` have a conversion webhook.
    pub(crate) fn crdgen(
        &self,
        describe_core_types: bool,
        converted: &BTreeSet<String>,
    ) -> Result<Printed, Problem> {
        let program = self.build()?;
        let converted = converted.iter().flat_map(|name| ["--converted", name]);
        let output = Command::new(&program)
            .args(describe_core_types.then_some("--describe-core-types"))
            .args(converted)
            .current_dir(self.root)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| {
                Problem::new(
                    format!("failed to run {}: {error}", program.display()),
                    "run the command again",
                )
            })?;
        parse_output(&output)
    }

    /// Builds crdgen and returns its path.
    fn build(&self) -> Result<PathBuf, Problem> {
        let mut arguments: Vec<OsString> = [
            "build",
            "--workspace",
            "--bin",
            PROGRAM,
            "--message-format=json-render-diagnostics",
        ]
        .map(OsString::from)
        .to_vec();
        if self.quiet {
            arguments.push("--quiet".into());
        }
        let output = Command::new(self.program)
            .args(arguments)
            .current_dir(self.root)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| {
                Problem::new(
                    format!("failed to run {}: {error}", self.program.display()),
                    "install Rust from https://rustup.rs, or set --cargo or the environment variable CARGO",
                )
            })?;
        if !output.status.success() {
            return Err(Problem::new(
                format!("cargo failed to build {PROGRAM}"),
                "fix the errors above and run the command again",
            ));
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        artifact::executable(
            &messages,
            PROGRAM,
            &self.root.join("api").join("Cargo.toml"),
        )
        .ok_or_else(|| {
            Problem::new(
                format!("cargo built no binary named {PROGRAM}"),
                "restore api/src/bin/crdgen.rs and the workspace member `api`",
            )
        })
    }
}

/// Parses the output of a successful run.
fn parse_output(output: &Output) -> Result<Printed, Problem> {
    if !output.status.success() {
        let text = if output.stderr.trim_ascii().is_empty() {
            &output.stdout
        } else {
            &output.stderr
        };
        return Err(match quote(text) {
            quoted if quoted.is_empty() => Problem::new(
                format!(
                    "{PROGRAM} failed without output ({})",
                    describe(output.status)
                ),
                RESTORE,
            ),
            quoted => Problem {
                paste: Some(quoted),
                ..Problem::new(
                    format!("{PROGRAM} failed ({})", describe(output.status)),
                    "its output was:",
                )
            },
        });
    }
    if output.stdout.trim_ascii().is_empty() {
        return Err(Problem::new(format!("{PROGRAM} printed nothing"), RESTORE));
    }
    let documents = serde_json::from_slice(&output.stdout).map_err(|error| Problem {
        paste: Some(quote(&output.stdout)),
        ..Problem::new(
            format!("{PROGRAM} did not print a JSON list of CRDs: {error}"),
            format!("{RESTORE}; its output was:"),
        )
    })?;
    let remarks = Some(quote(&output.stderr)).filter(|text| !text.is_empty());
    Ok(Printed { documents, remarks })
}

/// Describes an exit status.
fn describe(status: ExitStatus) -> String {
    match status.code() {
        // Exit code of a Rust panic.
        Some(101) => "it panicked".to_owned(),
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}
