//! `kb-rs envtest run`

use std::path::{Path, PathBuf};

use kb_envtest::{Binaries, Crds, Environment, Error, KubeconfigFile};
use serde_json::{Value, json};

use super::{
    super::project,
    cache::{CacheArgs, note_other_version},
    format::FormatArgs,
};
use crate::{
    disk,
    ops::{envtest::crds_in, quoted},
    problem::{Failure, Problem},
    show::Printer,
};

const EXAMPLES: &str = "\
Examples:
  # Run a control plane with the project's CRDs
  kb-rs envtest run

  # Write the kubeconfig to a file
  kb-rs envtest run --kubeconfig local.kubeconfig

  # In a second terminal, start the operator
  KUBECONFIG=local.kubeconfig cargo run

  # In a third terminal, apply the samples
  kubectl --kubeconfig local.kubeconfig apply -k config/samples

  # Also run garbage collection and the Deployment and Job controllers
  kb-rs envtest run --controller-manager";

/// Run a control plane until Ctrl-C, to try your operator without a cluster
///
/// Starts etcd, and kube-apiserver on a free local port, installs the project's CRDs and writes a kubeconfig with the `kb-envtest`
/// context. The CRDs are built by `kubectl kustomize config/crd`, with the kubectl installed alongside kube-apiserver and without network access; if
/// there is no kubectl, they are read from config/crd/bases. There are no nodes and no built-in controllers: pods do not run, and owned objects
/// are not garbage-collected (see --controller-manager). Ctrl-C stops all processes and deletes their data. Binaries in the project's bin/k8s
/// are run only with `--dir bin/k8s`, because a cloned repository may contain untrusted binaries.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// Directory with CRDs to install (repeatable) [default: the project's CRDs]
    #[arg(long, value_name = "DIR")]
    crds: Vec<PathBuf>,
    /// Write the kubeconfig to this file, and remove it on exit; files written by other programs are not overwritten [default: temporary file]
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// Also run kube-controller-manager, which the published archives do not include
    #[arg(long)]
    controller_manager: bool,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    pub(super) format: FormatArgs,
}

/// Runs the command.
pub(super) fn run(args: &RunArgs) -> Result<(), Failure> {
    let (crds, project) = crds(args)?;
    let binaries = args.cache.in_use()?;
    note_other_version(&binaries, args.format.printer());
    if let Some(file) = &args.kubeconfig {
        KubeconfigFile::check(file)?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| {
            let message = format!("failed to start the async runtime: {error}");
            Problem::new(message, "check the limit of open files (`ulimit -n`)")
        })?;
    runtime.block_on(async {
        tokio::select! {
            // Check the signal first. Dropping `serve` stops the processes.
            biased;
            stopped = stop_signal() => stopped,
            failed = serve(args, binaries, crds, project) => failed,
        }
    })
}

/// Starts the control plane and waits. Returns only if a process fails.
async fn serve(
    args: &RunArgs,
    binaries: PathBuf,
    mut crds: Vec<Value>,
    project: Option<PathBuf>,
) -> Result<(), Failure> {
    let printer = args.format.printer();
    if let Some(dir) = project {
        let found = Crds::build(&dir, &Binaries::at(&binaries)?).await?;
        if let Some(warning) = found.warning {
            printer.note(&format!("warning: {warning}"));
        }
        crds.extend(found.documents);
    }
    printer.note("starting etcd and kube-apiserver");
    let count = crds.len();
    let builder = Environment::builder()
        .binaries(binaries)
        .crds(crds)
        .controller_manager(args.controller_manager);
    let mut environment = builder.start().await?;
    let own = environment.dir().join("kubeconfig");
    let path = args.kubeconfig.as_deref().unwrap_or(&own);
    let kubeconfig = environment.write_kubeconfig(path)?;
    print(&environment, kubeconfig.path(), count, args, printer).await?;
    Err(environment.wait_for_failure().await.into())
}

/// Prints how to connect to the control plane.
async fn print(
    environment: &Environment,
    kubeconfig: &Path,
    crds: usize,
    args: &RunArgs,
    printer: Printer,
) -> Result<(), Error> {
    let (version, url) = (environment.version().await?, environment.url());
    let installed = match crds {
        1 => "1 CRD".to_owned(),
        count => format!("{count} CRDs"),
    };
    printer.line(&format!(
        "Kubernetes {version} is running at {url} with {installed}."
    ));
    printer.line("In another terminal:");
    printer.line("");
    printer.result(&format!("  export KUBECONFIG={}", quoted(kubeconfig)));
    printer.line("");
    printer.line("Then start your operator with `cargo run`, and create samples with `kubectl apply -k config/samples`.");
    if !args.controller_manager {
        printer.line("Garbage collection and the controllers of Deployments and Jobs require --controller-manager.");
    }
    printer.line("Press Ctrl-C to stop the control plane and delete its data.");
    printer.document(&json!({
        "version": version,
        "url": url,
        "kubeconfig": kubeconfig,
        "folder": environment.dir(),
        "processes": environment.pids(),
        "crds": crds,
    }));
    Ok(())
}

/// Returns the CRDs of `--crds`, or else the CRD directory of the project.
fn crds(args: &RunArgs) -> Result<(Vec<Value>, Option<PathBuf>), Failure> {
    if args.crds.is_empty() {
        let dir = project::root()?.map(|root| root.join("config").join("crd"));
        return Ok((Vec::new(), dir));
    }
    let mut crds = Vec::new();
    for dir in &args.crds {
        let found = read_crds(dir)?;
        if found.is_empty() {
            let message = format!("no CRDs found in {}", dir.display());
            return Err(Problem::new(message, "pass a directory with CRD files").into());
        }
        crds.extend(found);
    }
    Ok((crds, None))
}

fn read_crds(dir: &Path) -> Result<Vec<Value>, Failure> {
    let mut crds = Vec::new();
    for file in disk::files_in(dir, None)? {
        let path = file.below(dir);
        let ending = path.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("yaml" | "yml" | "json")) {
            let text = disk::read_text(&path)?;
            crds.extend(crds_in(&path.display().to_string(), &text)?);
        }
    }
    Ok(crds)
}

/// Waits for SIGINT or SIGTERM.
async fn stop_signal() -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        let message = format!("failed to listen for signals: {error}");
        Failure::from(Problem::new(message, "run the command from a shell"))
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        let mut terminated = signal(SignalKind::terminate()).map_err(failed)?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted.map_err(failed),
            _ = terminated.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await.map_err(failed)
}
