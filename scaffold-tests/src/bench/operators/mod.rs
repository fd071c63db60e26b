//! An operator under load, compared with one built with Kubebuilder.
//!
//! Both operators do the same: each Widget gets a `ConfigMap` that it owns, and a Ready condition. All Widgets exist when the operator
//! starts, so that only the control plane, which is the same for both, works besides it.

mod build;
mod process;
mod requests;
mod widgets;

use std::time::Instant;

use anyhow::{Context, Result};
use kb_envtest::{Binaries, Environment, KubeconfigFile};
use kube::Client;
use tempfile::TempDir;

use crate::{
    Options,
    pair::{Pair, Subject},
    report::{Report, Unit, shown},
    tool::{KUBEBUILDER_VERSION, Tool},
};
use process::{Operator, wait_until_idle};
use requests::RequestCounts;
use widgets::{RESOURCES, Widgets};

/// A running control plane with the Widget CRD.
struct ControlPlane {
    environment: Environment,
    client: Client,
    kubeconfig: KubeconfigFile,
    /// Working directory and logs of the operators.
    dir: TempDir,
}

impl ControlPlane {
    async fn start(crd: &serde_json::Value) -> Result<Self> {
        let environment = Environment::builder().crds([crd]).start().await?;
        let dir = TempDir::new()?;
        Ok(Self {
            client: environment.client().await?,
            kubeconfig: environment.write_kubeconfig(&dir.path().join("kubeconfig"))?,
            dir,
            environment,
        })
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    Binaries::find().context("run `make control-plane` first")?;
    let runtime = tokio::runtime::Runtime::new()?;
    let (kb_rs, crd) = build::kb_rs()?;
    let mut pair = Pair::new(kb_rs, build::kubebuilder());
    runtime.block_on(measure_all(options, &crd, &mut pair))?;

    let mut report = Report::new("operators", "Kubebuilder");
    for &count in &options.objects {
        let ready = name(count, "all ready");
        report.compare(&pair, &ready, Unit::Seconds, Some(0.8));
        report.compare(&pair, &name(count, "CPU time"), Unit::Seconds, Some(0.3));
        report.compare(&pair, &name(count, "memory"), Unit::Mebibytes, Some(0.3));
        for resource in RESOURCES {
            let requests = name(count, &format!("{resource} requests each"));
            report.compare(&pair, &requests, Unit::PerObject(count), None);
        }
    }
    let other = pair.describe_other(
        "scaffolded main.go, cached client without rate limit, CreateOrUpdate, Owns, Status().Update on change",
    );
    report.print(&format!(
        "Kubebuilder {KUBEBUILDER_VERSION}: {other}\n\
         kb-rs: as scaffolded; `cargo build --release`\n\
         medians of {} runs, 8 concurrent reconciles; time from process start until the last Widget is ready; CPU time and peak memory \
         (VmHWM) until the operator is idle; requests as counted by the API server, without lists and watches",
        options.slow_runs()
    ));
    Ok(())
}

async fn measure_all(
    options: &Options,
    crd: &serde_json::Value,
    pair: &mut Pair<Tool>,
) -> Result<()> {
    let plane = ControlPlane::start(crd).await?;
    for &count in &options.objects {
        for run in 1..=options.slow_runs() {
            eprintln!(
                "bench: operators, {count} objects: {run} of {}",
                options.slow_runs()
            );
            let namespace = |name| format!("{name}-{count}-{run}");
            // Each goes first every other time.
            let kb_rs_first = run % 2 == 1;
            if kb_rs_first {
                measure(&mut pair.kb_rs, &plane, namespace("kb-rs"), count).await?;
            }
            if let Ok(other) = &mut pair.other
                && let Err(error) = measure(other, &plane, namespace("kubebuilder"), count).await
            {
                pair.fail_other(error);
            }
            if !kb_rs_first {
                measure(&mut pair.kb_rs, &plane, namespace("kb-rs"), count).await?;
            }
        }
    }
    plane.environment.stop().await;
    Ok(())
}

async fn measure(
    subject: &mut Subject<Tool>,
    plane: &ControlPlane,
    namespace: String,
    count: u32,
) -> Result<()> {
    let widgets = Widgets::create(&plane.client, namespace, count).await?;
    wait_until_idle(&plane.environment.pids()).await;
    let all_ready = widgets.watch().await?;
    let before = RequestCounts::read(&plane.client).await?;

    let start = Instant::now();
    let mut operator = Operator::start(&subject.program, plane, &widgets.namespace)?;
    widgets.wait_until_ready(all_ready, &mut operator).await?;
    let time = start.elapsed();
    // Its own writes come back to it as events.
    wait_until_idle(&[operator.pid()]).await;

    let samples = &mut subject.samples;
    samples.push(name(count, "all ready"), time.as_secs_f64());
    let (cpu, memory) = (operator.cpu_time(), operator.peak_memory());
    if let Some(seconds) = cpu {
        samples.push(name(count, "CPU time"), seconds);
    }
    if let Some(mebibytes) = memory {
        samples.push(name(count, "memory"), mebibytes);
    }
    let after = RequestCounts::read(&plane.client).await?;
    for resource in RESOURCES {
        let requests = after.get(resource) - before.get(resource);
        samples.push(name(count, &format!("{resource} requests each")), requests);
    }
    eprintln!(
        "bench: {}: ready after {time:.1?}, {} s CPU, {} MiB",
        widgets.namespace,
        shown(cpu, |seconds| format!("{seconds:.2}")),
        shown(memory, |mebibytes| format!("{mebibytes:.1}")),
    );
    operator.check_running()?;
    drop(operator);
    widgets.check_config_maps().await?;
    widgets.delete().await
}

fn name(count: u32, measurement: &str) -> String {
    format!("{count} objects: {measurement}")
}
