//! Leaders whose reconcilers block: on a thread of the runtime, where they block leader election as well, and on a blocking thread, where they
//! outlive `run`.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use kb::k8s_openapi::api::core::v1::ConfigMap;
use kb_envtest::{Environment, Error};
use kube::{Api, api::PostParams};
use scaffold_tests::skip;
use serde_json::json;

use crate::{
    control_plane::{ONE_AT_A_TIME, eventually, within},
    process::Process,
    proxy::Proxy,
};

/// Exit code of the watchdog.
const EXPIRED: &str = "75";

/// Two replicas, the leader first, and the files in which they record their work.
struct Replicas {
    processes: [Process; 2],
    files: [PathBuf; 2],
}

impl Replicas {
    /// Starts them, each with its own kubeconfig.
    async fn start(dir: &Path, thread: &str, kubeconfigs: [&str; 2]) -> Self {
        let program = Path::new(env!("CARGO_BIN_EXE_blocking-operator"));
        let files = ["first", "second"].map(|name| dir.join(format!("{thread}-{name}.work")));
        let start = |replica: usize| {
            let flags = [
                "--leader-elect".to_owned(),
                "--leader-election-namespace=default".to_owned(),
                format!("--leader-election-id={thread}"),
                format!("--thread={thread}"),
                format!("--file={}", files[replica].display()),
            ];
            let flags = flags.each_ref().map(String::as_str);
            let dir = dir.join(format!("{thread}-{replica}"));
            Process::start(program, &dir, kubeconfigs[replica], &flags)
        };
        let first = start(0);
        eventually("the first leads", || async { first.has_acquired_lease() }).await;
        let second = start(1);
        eventually("the second waits", || async { second.is_standby() }).await;
        Self {
            processes: [first, second],
            files,
        }
    }

    /// Returns the timestamps of a replica's work.
    fn work(&self, replica: usize) -> Vec<u128> {
        let text = fs::read_to_string(&self.files[replica]).unwrap_or_default();
        // The last line may be incomplete.
        let complete = text.rsplit_once('\n').unwrap_or_default().0;
        complete.lines().map(|line| line.parse().unwrap()).collect()
    }

    /// Waits until the second replica works, and checks that the first had stopped before.
    async fn assert_sequential(&self) {
        within(Duration::from_secs(120), "the second works", || async {
            self.work(1).len() > 20
        })
        .await;
        let (last, first) = (*self.work(0).last().unwrap(), self.work(1)[0]);
        assert!(
            last < first,
            "both worked for at least {} ms",
            (last - first) / 1000
        );
        let [leader, _] = &self.processes;
        assert_eq!(leader.exit_code().as_deref(), Some(EXPIRED));
        assert!(leader.has_logged(&["lease about to expire"]));
        eprintln!(
            "the second replica started {} ms after the first had stopped",
            (first - last) / 1000
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blocking_leaders_never_reconcile_concurrently() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let environment = match Environment::builder().start().await {
        Err(error @ (Error::NotFound { .. } | Error::Incomplete { .. })) => {
            skip(format_args!("no blocking leader was tested: {error}"));
            return;
        }
        started => started.unwrap(),
    };
    let dir = tempfile::tempdir().unwrap();
    let direct = environment.kubeconfig();
    let proxy = Proxy::new(&environment.url()).await;
    let proxied = proxy.kubeconfig(&direct, &environment.url());
    let runtime = Replicas::start(dir.path(), "runtime", [&direct, &direct]).await;
    let blocking = Replicas::start(dir.path(), "blocking", [&proxied, &direct]).await;

    let config_maps: Api<ConfigMap> = Api::default_namespaced(environment.client().await.unwrap());
    let busy = serde_json::from_value(json!({"metadata": {"name": "busy"}})).unwrap();
    config_maps
        .create(&PostParams::default(), &busy)
        .await
        .unwrap();
    eventually("both leaders work", || async {
        !runtime.work(0).is_empty() && !blocking.work(0).is_empty()
    })
    .await;
    // The blocked runtime cannot renew its lease; the other leader must lose its connection.
    drop(proxy);
    tokio::join!(runtime.assert_sequential(), blocking.assert_sequential());
}
