//! Builds the two operators from scaffolded projects, with the same reconciler in each.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    create::Scaffolder,
    tool::{KUBEBUILDER_VERSION, Tool, cache_dir, timed},
};

/// Restricts the cache of Kubebuilder's manager to one namespace.
const MAIN_GO: [(&str, &str); 2] = [
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

/// Builds the operator of kb-rs and returns it with its CRD.
pub(crate) fn kb_rs() -> Result<(Tool, Value)> {
    let kb_rs = Tool::kb_rs()?;
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()?;
    let dir = TempDir::new()?;
    let source = format!("--kb-source=path:{}", repository.display());
    kb_rs.run(
        dir.path(),
        &[
            "init",
            "--domain=example.com",
            "--project-name=demo",
            &source,
        ],
    )?;
    kb_rs.run(
        dir.path(),
        &[
            "create",
            "api",
            "--group=bench",
            "--version=v1",
            "--kind=Widget",
            "--owns=core/v1/ConfigMap",
        ],
    )?;
    let controller = dir.path().join("src/controller/widget.rs");
    fs::write(controller, include_str!("widget.rs.txt"))?;
    kb_rs.run(dir.path(), &["generate"])?;
    fs::copy(repository.join("Cargo.lock"), dir.path().join("Cargo.lock"))?;

    eprintln!("bench: building the operator of kb-rs...");
    // The build directory stays, so that only the operator is built anew.
    let target = target_dir()?;
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["build", "--release", "--bin", "demo"])
        // Outside this repository, so that its cargo configuration does not apply.
        .current_dir(dir.path())
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("K8S_OPENAPI_ENABLED_VERSION");
    timed(&mut cargo)?;
    let binary = target.join(format!("release/demo{}", env::consts::EXE_SUFFIX));
    let crd = dir
        .path()
        .join("config/crd/bases/bench.example.com_widgets.yaml");
    let crd = serde_saphyr::from_str(&fs::read_to_string(crd)?)?;
    Ok((Tool::new(binary, &[]), crd))
}

/// Builds the operator of Kubebuilder.
pub(crate) fn kubebuilder() -> Result<Tool> {
    let (kubebuilder, controller_gen, go) = (
        Scaffolder::kubebuilder()?,
        Tool::controller_gen()?,
        Tool::go()?,
    );
    let temp = TempDir::new()?;
    let dir = temp.path();
    kubebuilder.init(dir)?;
    kubebuilder.create_api(dir, "bench", "Widget")?;
    fs::write(
        dir.join("api/v1/widget_types.go"),
        include_str!("widget_types.go.txt"),
    )?;
    fs::write(
        dir.join("internal/controller/widget_controller.go"),
        include_str!("widget_controller.go.txt"),
    )?;
    replace(&dir.join("cmd/main.go"), &MAIN_GO)?;
    eprintln!("bench: building the operator of Kubebuilder...");
    // Completes go.mod and go.sum.
    go.run(dir, &["list", "-mod=mod", "-deps", "./api/..."])?;
    controller_gen.run(dir, &["object", "paths=./api/..."])?;
    let binary = cache_dir()?.join(format!("operator-{KUBEBUILDER_VERSION}"));
    let output = binary.to_str().context("the cache path is not UTF-8")?;
    go.run(dir, &["build", "-mod=mod", "-o", output, "./cmd"])?;
    // Production logging: JSON, as kb's operator logs outside of a terminal.
    Ok(Tool::new(binary, &["--zap-devel=false"]))
}

/// Replaces text that must occur exactly once.
fn replace(file: &Path, replacements: &[(&str, &str)]) -> Result<()> {
    let mut text = fs::read_to_string(file)?;
    for (from, to) in replacements {
        let count = text.matches(from).count();
        ensure!(
            count == 1,
            "{}: expected once, found {count} times: {from}",
            file.display()
        );
        text = text.replace(from, to);
    }
    Ok(fs::write(file, text)?)
}

fn target_dir() -> Result<PathBuf> {
    let executable = env::current_exe()?;
    let target = executable.parent().and_then(Path::parent);
    Ok(target
        .context("the benchmark is not in a target directory")?
        .join("bench"))
}
