//! `kb-rs version`

use std::process::ExitCode;

use crate::{
    project::LAYOUT,
    show::{Format, write_stdout},
};

/// Print the versions of kb-rs, the project layout, kube and Kubernetes
#[derive(Debug, clap::Args)]
pub(super) struct VersionArgs {
    /// Output format
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        help_heading = "Output"
    )]
    output: Format,
}

/// Runs the command.
pub(super) fn run(args: &VersionArgs) -> ExitCode {
    let facts = [
        ("kb-rs", env!("CARGO_PKG_VERSION")),
        ("layout", LAYOUT),
        ("kube", "5"),
        ("kubernetes", "1.36"),
        ("os", std::env::consts::OS),
        ("arch", std::env::consts::ARCH),
    ];
    match args.output {
        Format::Text => {
            let lines: Vec<String> = facts
                .iter()
                .map(|(name, value)| format!("{name:<11}{value}\n"))
                .collect();
            write_stdout(&lines.concat());
        }
        Format::Json => {
            let document: serde_json::Map<String, serde_json::Value> = facts
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).into()))
                .collect();
            write_stdout(&format!("{}\n", serde_json::Value::Object(document)));
        }
    }
    ExitCode::SUCCESS
}
