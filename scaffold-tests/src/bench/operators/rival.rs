//! The operator that Kubebuilder makes: `init` and `create api`, and a reconciler as its book has them.
//!
//! `cmd/main.go` stays as scaffolded, but that the cache is restricted to a namespace. Go's garbage collector has its defaults. The client
//! has no limit of requests per second: that is the default of its controller-runtime.

use std::{env, fs, path::Path};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::{Program, own::replace};
use crate::{
    call::timed,
    generate::controller_gen,
    kubebuilder::{self, Absence, VERSION, cache},
    tool::Tool,
};

/// What stands in for scaffolded files.
const FILES: [(&str, &str); 2] = [
    (
        "api/v1/widget_types.go",
        include_str!("widget_types.go.txt"),
    ),
    (
        "internal/controller/widget_controller.go",
        include_str!("widget_controller.go.txt"),
    ),
];

/// What is changed in `cmd/main.go`.
const MAIN: [(&str, &str); 2] = [
    (
        "\t// +kubebuilder:scaffold:imports\n",
        "\t\"sigs.k8s.io/controller-runtime/pkg/cache\"\n\t// +kubebuilder:scaffold:imports\n",
    ),
    (
        "\t\tScheme:                 scheme,\n",
        "\t\tScheme:                 scheme,\n\
         \t\tCache: cache.Options{DefaultNamespaces: map[string]cache.Config{os.Getenv(\"WATCH_NAMESPACE\"): {}}},\n",
    ),
];

/// Production settings of its log: JSON, as kb's operator has it outside of a terminal.
const ARGUMENTS: [&str; 1] = ["--zap-devel=false"];

/// What it is, for the reports.
pub(crate) fn describe() -> String {
    format!(
        "{VERSION}, its main.go with controller-runtime's defaults (cached client, no limit of requests per second, Go's garbage collector\n\
         {:13}as it is); CreateOrUpdate, Owns, SetStatusCondition, Status().Update when changed, MaxConcurrentReconciles: 8",
        ""
    )
}

/// Makes and builds it.
pub(crate) fn make() -> Result<Program, Absence> {
    let kubebuilder = kubebuilder::prepare()?;
    let (controller_gen, go) = controller_gen::prepare()?;
    build(&kubebuilder, &controller_gen, &go).map_err(Absence::Failed)
}

fn build(kubebuilder: &Tool, controller_gen: &Tool, go: &Tool) -> Result<Program> {
    let folder = TempDir::new().context("cannot make a temporary folder")?;
    let run =
        |tool: &Tool, arguments: &[&str]| timed(&mut tool.command(folder.path(), &[], arguments));
    run(kubebuilder, &kubebuilder.init())?;
    run(
        kubebuilder,
        &[
            "create",
            "api",
            "--group=bench",
            "--version=v1",
            "--kind=Widget",
            "--resource",
            "--controller",
            "--make=false",
        ],
    )?;
    for (file, text) in FILES {
        let file = folder.path().join(file);
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    replace(&folder.path().join("cmd/main.go"), &MAIN)?;
    eprintln!("bench: building the operator of Kubebuilder (minutes, the first time)...");
    // It fills in go.mod and go.sum, and downloads what is missing.
    run(go, &["list", "-mod=mod", "-deps", "./api/..."])?;
    run(controller_gen, &["object", "paths=./api/..."])?;
    let binary = cache()?.join(format!("operator-{VERSION}{}", env::consts::EXE_SUFFIX));
    let output = path(&binary)?;
    run(go, &["build", "-mod=mod", "-o", output, "./cmd"])
        .context("the operator of Kubebuilder does not build")?;
    Ok(Program::new(binary, &ARGUMENTS))
}

fn path(path: &Path) -> Result<&str> {
    path.to_str()
        .with_context(|| format!("{} is not UTF-8", path.display()))
}
