//! The flags of `kb-rs generate`.

use std::path::{Path, PathBuf};

use kb_model::RoleName;

use super::super::output::OutputArgs;
use crate::{
    disk,
    ops::generate::{Comments, CrdOptions, Generator, Options, OutputDir, RoleOptions},
    problem::{Failure, Problem, Problems},
};

const EXAMPLES: &str = "\
Examples:
  # Generate all manifests
  kb-rs generate

  # Fail in CI if a manifest is out of date
  kb-rs generate --check

  # Regenerate the CRDs whenever a type changes
  kb-rs generate crd --watch

  # Generate the manager role and reject wildcard rules
  kb-rs generate rbac --deny-wildcards

  # Report rules that no test used
  cargo test && kb-rs generate rbac --report-unused

  # Print the CRDs with short descriptions
  kb-rs generate crd --stdout --max-desc-len 80

  # Compare the CRDs from the sources with those from the compiled API crate
  kb-rs generate crd --verify --check";

/// Generate CRDs and RBAC manifests from Rust code
///
/// Writes a CRD for each kind in the API crate to config/crd/bases and lists it in config/crd/kustomization.yaml. Generates the manager role
/// in config/rbac/role.yaml from the `#[kb::rbac(..)]` markers in all packages. Updates samples in config/samples that you did not edit. The
/// sources are parsed, not compiled. If a type cannot be resolved that way, cargo builds and runs crdgen, and kb-rs prints the reason. Only
/// changed files are written. CRDs of deleted kinds are removed; files that kb-rs did not generate are kept.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(in crate::commands) struct GenerateArgs {
    /// Manifests to generate [default: all]
    #[arg(value_enum)]
    pub(super) generator: Option<Generator>,
    /// Write nothing; show the differences and exit with status 1 if a file is out of date
    #[arg(long)]
    pub(super) check: bool,
    /// Print the manifests instead of writing files
    #[arg(long, conflicts_with_all = ["check", "dry_run", "diff", "output_dir", "watch"])]
    pub(super) stdout: bool,
    /// Regenerate whenever a source file changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["check", "dry_run", "diff", "verify"])]
    pub(super) watch: bool,
    /// Output directory, relative to the project; requires a single generator [default: config/crd/bases for crd, config/rbac for rbac]
    #[arg(long, value_name = "DIR")]
    pub(super) output_dir: Option<PathBuf>,
    /// File with header text to prepend to generated files as comments
    #[arg(long, value_name = "FILE")]
    pub(super) header_file: Option<PathBuf>,
    /// Truncate descriptions to this many bytes, at a sentence or word boundary; 0 omits them
    #[arg(long, value_name = "BYTES")]
    pub(super) max_desc_len: Option<usize>,
    /// Include descriptions of Kubernetes types; builds crdgen
    #[arg(long)]
    pub(super) describe_core_types: bool,
    /// Build crdgen instead of parsing the sources
    #[arg(long)]
    pub(super) build: bool,
    /// Generate the CRDs by parsing and by building, and fail if they differ
    #[arg(long, conflicts_with_all = ["build", "describe_core_types"])]
    pub(super) verify: bool,
    /// cargo executable that builds crdgen
    #[arg(
        long,
        value_name = "PROGRAM",
        env = "CARGO",
        hide_env_values = true,
        default_value = "cargo"
    )]
    pub(super) cargo: PathBuf,
    /// Role name for rules that do not set `role_name` [default: manager-role]
    #[arg(long, value_name = "NAME")]
    pub(super) role_name: Option<RoleName>,
    /// Fail, rather than warn, if a rule uses wildcards or allows reading all Secrets
    #[arg(long)]
    pub(super) deny_wildcards: bool,
    /// Report rules that no test used, based on the API calls that kb-envtest recorded
    #[arg(long)]
    pub(super) report_unused: bool,
    /// cargo target directory with the recorded API calls, for --report-unused [default: target]
    #[arg(
        long,
        value_name = "DIR",
        env = "CARGO_TARGET_DIR",
        hide_env_values = true
    )]
    pub(super) target_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::commands) output: OutputArgs,
}

impl GenerateArgs {
    /// Rejects combinations of flags that clap cannot express.
    pub(super) fn check_flags(&self) -> Result<(), Failure> {
        let problems: Vec<Problem> = [self.json_conflict(), self.ambiguous_output_dir()]
            .into_iter()
            .flatten()
            .chain(self.flags_of_other_generator())
            .collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Failure::usage(problems))
        }
    }

    fn json_conflict(&self) -> Option<Problem> {
        let flag = match (self.stdout, self.watch) {
            _ if !self.output.is_json() => return None,
            (true, _) => "--stdout",
            (_, true) => "--watch",
            _ => return None,
        };
        let message = format!("{flag} cannot be used with --output json");
        Some(Problem::new(message, "omit one of them"))
    }

    fn ambiguous_output_dir(&self) -> Option<Problem> {
        let is_ambiguous = self.output_dir.is_some() && self.generator.is_none();
        is_ambiguous.then(|| {
            let message = "--output-dir requires a single generator";
            let help = "run `kb-rs generate crd --output-dir DIR` or `kb-rs generate rbac --output-dir DIR`";
            Problem::new(message, help)
        })
    }

    fn flags_of_other_generator(&self) -> Vec<Problem> {
        let (own, flags): (_, &[(&str, bool)]) = match self.generator {
            None => return Vec::new(),
            Some(Generator::Crd) => (
                "crd",
                &[
                    ("--role-name", self.role_name.is_some()),
                    ("--deny-wildcards", self.deny_wildcards),
                    ("--report-unused", self.report_unused),
                ],
            ),
            Some(Generator::Rbac) => (
                "rbac",
                &[
                    ("--max-desc-len", self.max_desc_len.is_some()),
                    ("--describe-core-types", self.describe_core_types),
                    ("--build", self.build),
                    ("--verify", self.verify),
                ],
            ),
        };
        let given = flags.iter().filter(|(_, given)| *given);
        given
            .map(|(flag, _)| {
                let message = format!("{flag} does not apply to `kb-rs generate {own}`");
                Problem::new(message, "omit it, or run `kb-rs generate`")
            })
            .collect()
    }

    /// Parses the options of the generators. `root` is the project root.
    pub(super) fn options(&self, root: &Path) -> Result<Options, Failure> {
        let mut problems = Problems::default();
        let comments = problems.take(self.comments());
        let dir = self.output_dir.as_ref();
        let dir = dir.and_then(|dir| problems.take(OutputDir::parse(dir, root)));
        let problems = problems.into_vec();
        match comments {
            Some(comments) if problems.is_empty() => Ok(Options {
                generator: self.generator,
                comments,
                // `check_flags` allows --output-dir for a single generator only.
                crd_dir: dir.clone().unwrap_or_else(OutputDir::of_crds),
                role_dir: dir.unwrap_or_else(OutputDir::of_roles),
                crds: CrdOptions {
                    max_desc_len: self.max_desc_len,
                    describe_core_types: self.describe_core_types,
                    build: self.build,
                    verify: self.verify,
                },
                roles: RoleOptions {
                    name: self.role_name.clone().unwrap_or_default(),
                    deny_wildcards: self.deny_wildcards,
                    report_unused: self.report_unused,
                },
            }),
            _ => Err(Failure::usage(problems)),
        }
    }

    fn comments(&self) -> Result<Comments, Problem> {
        let Some(path) = &self.header_file else {
            return Ok(Comments::default());
        };
        let text = disk::read_text(path).map_err(|error| {
            Problem::new(error.to_string(), "pass a text file to --header-file")
        })?;
        Comments::with_header(&path.display().to_string(), &text)
    }

    /// Returns the output flags with those that `--check` and `--stdout` imply.
    pub(super) fn effective_output(&self) -> OutputArgs {
        let mut output = self.output;
        output.diff |= self.check && !output.dry_run;
        output.dry_run |= self.stdout;
        output
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        args: GenerateArgs,
    }

    #[test]
    fn without_flags_the_options_are_those_of_the_other_commands() {
        let args = Cli::try_parse_from(["generate"]).unwrap().args;
        let options = args.options(Path::new("/project")).unwrap();
        assert_eq!(options, Options::default());
    }
}
