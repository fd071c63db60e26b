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
  Write every manifest that follows from the sources:
    kb-rs generate

  Fail if a manifest is not up to date, in CI:
    kb-rs generate --check

  Write the CRDs whenever a type is saved:
    kb-rs generate crd --watch

  Write the role, and refuse rules that allow everything:
    kb-rs generate rbac --deny-wildcards

  Name the rules that no test needs:
    cargo test && kb-rs generate rbac --report-unused

  Look at the CRDs, with short descriptions:
    kb-rs generate crd --stdout --max-desc-len 80

  Compare what is read from the sources with what the compiled API crate says:
    kb-rs generate crd --verify --check";

/// Write the manifests that follow from the Rust sources
///
/// Reads the API crate and writes a CRD for each kind to config/crd/bases, and its line to config/crd/kustomization.yaml; reads the
/// `#[kb::rbac(..)]` of all packages and writes the role to config/rbac/role.yaml. The samples in config/samples follow their
/// types, for as long as nobody has changed them. Nothing is compiled, unless a type cannot be known
/// from the sources alone: then cargo builds and runs crdgen, and a line says why. Files are written only if they change. The file
/// of a kind that is gone is removed; files that kb-rs did not make stay as they are.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(in crate::commands) struct GenerateArgs {
    /// What to generate [default: everything]
    #[arg(value_enum)]
    pub(super) generator: Option<Generator>,
    /// Write nothing; show what is not up to date, and exit with 1 if anything is
    #[arg(long)]
    pub(super) check: bool,
    /// Write nothing; print the documents
    #[arg(long, conflicts_with_all = ["check", "dry_run", "diff", "output_dir", "watch"])]
    pub(super) stdout: bool,
    /// Write again whenever a source changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["check", "dry_run", "diff", "verify"])]
    pub(super) watch: bool,
    /// The folder for what is generated, relative to the project; for one generator [default: config/crd/bases for crd, config/rbac for
    /// rbac]
    #[arg(long, value_name = "DIR")]
    pub(super) output_dir: Option<PathBuf>,
    /// A file whose text is put at the top of each file, as comments
    #[arg(long, value_name = "FILE")]
    pub(super) header_file: Option<PathBuf>,
    /// Cut descriptions to this many bytes, at the end of a sentence or a word; 0 leaves them out
    #[arg(long, value_name = "BYTES")]
    pub(super) max_desc_len: Option<usize>,
    /// Describe the fields of Kubernetes' own types, too; builds crdgen
    #[arg(long)]
    pub(super) describe_core_types: bool,
    /// Build crdgen in any case, instead of reading the sources
    #[arg(long)]
    pub(super) build: bool,
    /// Do both, and fail if they differ
    #[arg(long, conflicts_with_all = ["build", "describe_core_types"])]
    pub(super) verify: bool,
    /// The cargo that builds crdgen
    #[arg(
        long,
        value_name = "PROGRAM",
        env = "CARGO",
        hide_env_values = true,
        default_value = "cargo"
    )]
    pub(super) cargo: PathBuf,
    /// The role that rules without a `role_name` are in [default: manager-role]
    #[arg(long, value_name = "NAME")]
    pub(super) role_name: Option<RoleName>,
    /// Refuse rules with a wildcard, and rules that read all Secrets, instead of warning of them
    #[arg(long)]
    pub(super) deny_wildcards: bool,
    /// Name the rules that no test needed, as far as tests have recorded the calls of the operator (kb-envtest does)
    #[arg(long)]
    pub(super) report_unused: bool,
    /// Where cargo puts what it builds, and tests their recordings; for --report-unused [default: target]
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
        Some(Problem::new(message, "use one of them"))
    }

    fn ambiguous_output_dir(&self) -> Option<Problem> {
        let is_ambiguous = self.output_dir.is_some() && self.generator.is_none();
        is_ambiguous.then(|| {
            let message = "--output-dir is for one generator, and none is named";
            let help = "write `kb-rs generate crd --output-dir ..` or `kb-rs generate rbac --output-dir ..`";
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
                let message = format!("{flag} has no meaning for `kb-rs generate {own}`");
                Problem::new(message, "leave it out, or generate everything")
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
            Problem::new(
                error.to_string(),
                "name a text file, relative to the working directory",
            )
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
