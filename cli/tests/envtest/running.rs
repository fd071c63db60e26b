//! `kb-rs envtest run` with real binaries. Without them, the tests print a notice and pass, but fail with `CI=true`.

use std::{
    env, fs,
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use kb_envtest::Binaries;
use serde_json::Value;

use crate::{Machine, assert_snapshot};

const CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: shops.example.com
spec:
  group: example.com
  names: {plural: shops, kind: Shop}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
";

const KUSTOMIZATION: &str = "\
resources:
- bases/example.com_shops.yaml
commonAnnotations:
  patched: \"yes\"
";

fn binaries() -> Option<PathBuf> {
    match Binaries::find() {
        Ok(binaries) => Some(binaries.dir().to_owned()),
        Err(error) => {
            let in_ci = env::var_os("CI").is_some_and(|value| value == "true");
            assert!(!in_ci, "the control plane is required in CI: {error}");
            // The test harness captures the output of macros.
            let skipped = format!("SKIPPED: `kb-rs envtest run`: {error}\n");
            io::stderr().write_all(skipped.as_bytes()).unwrap();
            None
        }
    }
}

/// Creates a machine with a project that has a CRD.
fn machine() -> Machine {
    let machine = Machine::new();
    let crds = machine.create_project("v1_36").join("config/crd");
    fs::create_dir_all(crds.join("bases")).unwrap();
    fs::write(crds.join("bases/example.com_shops.yaml"), CRD).unwrap();
    fs::write(crds.join("kustomization.yaml"), KUSTOMIZATION).unwrap();
    machine
}

fn start(machine: &Machine, assets: &Path, arguments: &[&str]) -> Child {
    machine
        .command()
        .arg("run")
        .args(arguments)
        .env("KUBEBUILDER_ASSETS", assets)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns the standard output up to the first line that matches.
fn read_until(child: &mut Child, is_last: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    for line in BufReader::new(child.stdout.as_mut().unwrap()).lines() {
        let line = line.unwrap();
        text.push_str(&line);
        text.push('\n');
        if is_last(&line) {
            return text;
        }
    }
    let mut errors = String::new();
    child
        .stderr
        .as_mut()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    panic!("the command ended: {text}\n{errors}")
}

fn signal(signal: &str, process: u32) -> bool {
    let kill = format!("kill -{signal} {process}");
    let sent = Command::new("sh")
        .args(["-c", &kill])
        .stderr(Stdio::null())
        .status();
    sent.unwrap().success()
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn runs_until_ctrl_c_with_the_crds_of_the_project() {
    let Some(assets) = binaries() else { return };
    let machine = machine();
    let kubeconfig = machine.root.path().join("work/kubeconfig");
    let mut child = start(
        &machine,
        &assets,
        &["--output", "json", "--kubeconfig", "kubeconfig"],
    );
    let document: Value =
        serde_json::from_str(&read_until(&mut child, |line| line == "}")).unwrap();
    assert_eq!(document["kubeconfig"], kubeconfig.to_str().unwrap());
    assert_eq!(document["crds"], 1);

    let kubectl = |arguments: &[&str]| {
        let output = Command::new(assets.join("kubectl"))
            .args(arguments)
            .env("KUBECONFIG", &kubeconfig)
            .env("HOME", machine.root.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(kubectl(&["config", "current-context"]), "kb-envtest\n");
    assert_eq!(kubectl(&["get", "shops", "--output", "name"]), "");
    let patched = "jsonpath={.metadata.annotations.patched}";
    let crd = ["get", "crd", "shops.example.com", "--output", patched];
    assert_eq!(kubectl(&crd), "yes", "kubectl kustomize config/crd");
    let served = kubectl(&["version", "--output", "json"]);
    let served: Value = serde_json::from_str(&served).unwrap();
    assert_eq!(served["serverVersion"]["gitVersion"], document["version"]);

    #[cfg(target_os = "linux")]
    check_tls(&machine, &document);

    assert!(signal("INT", child.id()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let processes = document["processes"].as_array().unwrap();
    assert_eq!(processes.len(), 2);
    for process in processes {
        let process = u32::try_from(process.as_u64().unwrap()).unwrap();
        wait_until("the servers stop", || !signal("0", process));
    }
    let dir = PathBuf::from(document["folder"].as_str().unwrap());
    wait_until("the directory is removed", || !dir.exists());
    assert!(!kubeconfig.exists());
}

/// Checks that an index over TLS requires a trusted certificate.
#[cfg(target_os = "linux")]
fn check_tls(machine: &Machine, document: &Value) {
    let url = format!("{}/version", document["url"].as_str().unwrap());
    let authority = PathBuf::from(document["folder"].as_str().unwrap()).join("ca.crt");
    let list = |authority: &Path| {
        let mut command = machine.command();
        command.args(["list", "--index", &url]);
        let output = command.env("SSL_CERT_FILE", authority).output();
        crate::stderr(&output.unwrap())
    };
    let answer = list(&authority);
    assert!(!answer.contains("certificate"), "{answer}");
    let other = machine.root.path().join("other.crt");
    fs::write(&other, "").unwrap();
    let answer = list(&other);
    assert!(answer.contains("certificate"), "{answer}");
}

#[test]
fn exits_if_a_server_exits() {
    let Some(assets) = binaries() else { return };
    let machine = machine();
    let mut child = start(&machine, &assets, &[]);
    let shown = read_until(&mut child, |line| line.contains("Ctrl-C"));
    let kubeconfig = shown
        .lines()
        .find_map(|line| line.trim().strip_prefix("export KUBECONFIG="));
    let kubeconfig = PathBuf::from(kubeconfig.unwrap());
    let pid = fs::read_to_string(kubeconfig.with_file_name("etcd.pid")).unwrap();
    assert!(signal("KILL", pid.trim().parse().unwrap()));

    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let errors = crate::stderr(&output);
    assert!(errors.contains("etcd"), "{errors}");
    let dir = kubeconfig.parent().unwrap();
    assert!(dir.join("etcd.log").exists(), "{errors}");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn reports_why_it_cannot_start() {
    let machine = machine();
    assert_snapshot("run_without_binaries", machine.problem(&["run"]));

    machine.stdout(&["use"]);
    assert_snapshot(
        "run_without_a_controller_manager",
        machine.problem(&["run", "--controller-manager"]),
    );
    let config = machine.root.path().join("config");
    fs::write(&config, "apiVersion: v1\nkind: Config\n").unwrap();
    let config = config.to_str().unwrap();
    assert_snapshot(
        "run_with_a_foreign_kubeconfig",
        machine.problem(&["run", "--kubeconfig", config]),
    );
    assert_snapshot(
        "run_without_crds",
        machine.problem(&["run", "--crds", "config"]),
    );
}
