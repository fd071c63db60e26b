//! The operator that kb-rs makes: `init`, `create api` and `generate`, and a `ConfigMap` to make. It publishes no events, because what
//! Kubebuilder makes does not. All else stays as generated.
//!
//! It is made anew each time, in a scratch folder. What is built is a copy that stays in the target folder of this benchmark, of which only
//! files change that differ: cargo goes by their times, and a release build with link-time optimisation takes minutes.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;

use super::Program;
use crate::{call::timed, tool::Tool};

/// What `create api` writes, and what the benchmark has in its place.
const REPLACED: [(&str, &str); 6] = [
    (
        "fn desired_config_map(_object: &v1::Widget) -> Option<ConfigMap> {\n    None\n}\n",
        include_str!("desired_config_map.rs.txt"),
    ),
    (".owns(&config_maps)", ".owns(&config_maps).concurrency(8)"),
    (
        "use kb::objects::{EventRecorder, EventType, Objects, Owner, conditions};\n",
        "use kb::objects::{Objects, Owner, conditions};\n",
    ),
    (
        "    /// Publishes Kubernetes events.\n    pub recorder: EventRecorder,\n",
        "",
    ),
    ("        recorder: manager.event_recorder(NAME),\n", ""),
    (
        include_str!("event.rs.txt"),
        "    context.objects.patch_status(&*object, &status).await?;\n",
    ),
];

/// The operator, and the CRD of its kind.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) program: Program,
    pub(crate) crd: Value,
}

/// Makes and builds it.
pub(crate) fn make(kb_rs: &Tool) -> Result<Project> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let repository = repository
        .canonicalize()
        .with_context(|| format!("cannot find {}", repository.display()))?;
    let scratch = TempDir::new().context("cannot make a temporary folder")?;
    scaffold(kb_rs, scratch.path(), &repository)?;
    let kept = kept()?;
    copy(scratch.path(), &kept)?;
    let lock = repository.join("Cargo.lock");
    fs::copy(&lock, kept.join("Cargo.lock"))
        .with_context(|| format!("cannot copy {}", lock.display()))?;
    eprintln!("bench: building the operator of kb-rs (minutes, the first time)...");
    let target = kept.join("target");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["build", "--release", "--bin", "demo", "--manifest-path"])
        .arg(kept.join("Cargo.toml"))
        // Outside this repository, so that its settings of cargo play no part.
        .current_dir(scratch.path())
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("K8S_OPENAPI_ENABLED_VERSION");
    timed(&mut cargo).context("the operator of kb-rs does not build")?;
    let binary = target.join(format!("release/demo{}", env::consts::EXE_SUFFIX));
    Ok(Project {
        program: Program::new(binary, &[]),
        crd: crd(&kept)?,
    })
}

fn scaffold(kb_rs: &Tool, folder: &Path, repository: &Path) -> Result<()> {
    let run = |arguments: &[&str]| timed(&mut kb_rs.command(folder, &[], arguments));
    let source = format!("--kb-source=path:{}", repository.display());
    run(&[
        "init",
        "--domain=example.com",
        "--project-name=demo",
        &source,
    ])?;
    run(&[
        "create",
        "api",
        "--group=bench",
        "--version=v1",
        "--kind=Widget",
        "--owns=core/v1/ConfigMap",
    ])?;
    let file = folder.join("src/controller/widget.rs");
    replace(&file, &REPLACED)?;
    run(&["generate"])?;
    Ok(())
}

/// Replaces text in a file that a tool made; all of it must be there, once.
pub(crate) fn replace(file: &Path, replaced: &[(&str, &str)]) -> Result<()> {
    let name = file.display();
    let mut text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    for (from, to) in replaced {
        ensure!(
            text.matches(from).count() == 1,
            "{name} does not have this once, which is to be replaced:\n{from}"
        );
        text = text.replace(from, to);
    }
    fs::write(file, text).with_context(|| format!("cannot write {name}"))
}

/// The folder of the copy, beside the folder of this benchmark's own executable.
fn kept() -> Result<PathBuf> {
    let own = env::current_exe().context("cannot find this benchmark's own executable")?;
    let target = own.parent().and_then(Path::parent);
    let target = target.context("this benchmark is in no target folder")?;
    Ok(target.join("bench/operator"))
}

/// Copies what differs.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read {}", from.display()))?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to)?;
            continue;
        }
        let text = fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
        if fs::read(&to).ok().as_ref() != Some(&text) {
            fs::write(&to, text).with_context(|| format!("cannot write {}", to.display()))?;
        }
    }
    Ok(())
}

fn crd(project: &Path) -> Result<Value> {
    let file = project.join("config/crd/bases/bench.example.com_widgets.yaml");
    let text = fs::read_to_string(&file);
    let text = text.with_context(|| format!("cannot read {}", file.display()))?;
    serde_saphyr::from_str(&text).with_context(|| format!("cannot read {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_no_longer_writes_is_not_silently_left_out() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("controller.rs");
        fs::write(&file, "one two two").unwrap();
        replace(&file, &[("one", "1")]).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "1 two two");
        for missing in ["one", "two"] {
            assert!(replace(&file, &[(missing, "3")]).is_err(), "{missing}");
        }
    }

    #[test]
    fn a_file_that_is_the_same_is_not_written_again() {
        let [from, to] = [(); 2].map(|()| TempDir::new().unwrap());
        fs::create_dir(from.path().join("src")).unwrap();
        for name in ["src/same", "src/other"] {
            fs::write(from.path().join(name), name).unwrap();
        }
        copy(from.path(), to.path()).unwrap();
        let written = |name| {
            fs::metadata(to.path().join(name))
                .unwrap()
                .modified()
                .unwrap()
        };
        let before = written("src/same");
        fs::write(from.path().join("src/other"), "new").unwrap();
        copy(from.path(), to.path()).unwrap();
        assert_eq!(written("src/same"), before);
        assert_eq!(fs::read(to.path().join("src/other")).unwrap(), b"new");
    }
}
