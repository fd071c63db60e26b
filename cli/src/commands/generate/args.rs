//! The flags of `kb-rs generate`, and which of them contradict each other.

use std::path::PathBuf;

use kb_model::RoleName;

use super::super::output::OutputArgs;
use crate::{
    ops::generate::Generator,
    problem::{Failure, Problem},
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
    /// What clap cannot tell: flags that have no meaning for what is asked for.
    pub(super) fn check_call(&self) -> Result<(), Failure> {
        let problems: Vec<Problem> = [self.shown_twice(), self.folder_of_two()]
            .into_iter()
            .flatten()
            .chain(self.of_others())
            .collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Failure::usage(problems))
        }
    }

    /// One document for programs is neither several documents nor a stream of lines.
    fn shown_twice(&self) -> Option<Problem> {
        let flag = match (self.stdout, self.watch) {
            _ if !self.output.is_json() => return None,
            (true, _) => "--stdout",
            (_, true) => "--watch",
            _ => return None,
        };
        let message = format!("{flag} cannot be used with --output json");
        Some(Problem::new(message, "use one of them"))
    }

    /// Each generator has a folder of its own.
    fn folder_of_two(&self) -> Option<Problem> {
        let unclear = self.output_dir.is_some() && self.generator.is_none();
        unclear.then(|| {
            let message = "--output-dir is for one generator, and none is named";
            let help = "write `kb-rs generate crd --output-dir ..` or `kb-rs generate rbac --output-dir ..`";
            Problem::new(message, help)
        })
    }

    /// Flags of the other generator.
    fn of_others(&self) -> Vec<Problem> {
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

    /// Whether these manifests are asked for.
    pub(super) fn asks_for(&self, generator: Generator) -> bool {
        self.generator.is_none_or(|own| own == generator)
    }

    /// How this run shows what it does: a check shows the text of what would change, unless a list is asked for.
    pub(super) fn shown(&self) -> OutputArgs {
        let mut output = self.output;
        output.diff |= self.check && !output.dry_run;
        output.dry_run |= self.stdout;
        output
    }
}
