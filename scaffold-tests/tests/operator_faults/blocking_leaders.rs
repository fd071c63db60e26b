//! Leaders whose work does not yield: on the thread of the runtime, where it holds up leader election as well, and on a blocking thread, where it outlives
//! `run`.

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
    place::{ONE_AT_A_TIME, eventually, within},
    process::Process,
    proxy::Proxy,
};

/// The exit code of the watchdog.
const EXPIRED: &str = "75";

/// Two replicas, of which the first leads, and the files that they write their work to.
struct Replicas {
    processes: [Process; 2],
    files: [PathBuf; 2],
}

impl Replicas {
    /// Starts them, each with its own way to the API server.
    async fn start(folder: &Path, place: &str, kubeconfigs: [&str; 2]) -> Self {
        let program = Path::new(env!("CARGO_BIN_EXE_blocking-operator"));
        let files = ["first", "second"].map(|name| folder.join(format!("{place}-{name}.work")));
        let start = |replica: usize| {
            let flags = [
                "--leader-elect".to_owned(),
                "--leader-election-namespace=default".to_owned(),
                format!("--leader-election-id={place}"),
                format!("--place={place}"),
                format!("--file={}", files[replica].display()),
            ];
            let flags = flags.each_ref().map(String::as_str);
            let folder = folder.join(format!("{place}-{replica}"));
            Process::start(program, &folder, kubeconfigs[replica], &flags)
        };
        let first = start(0);
        eventually("the first leads", || async {
            first.said(&["successfully acquired lease"])
        })
        .await;
        let second = start(1);
        eventually("the second waits", || async {
            second.said(&["new leader elected"])
        })
        .await;
        Self {
            processes: [first, second],
            files,
        }
    }

    /// When a replica worked: time stamps.
    fn work(&self, replica: usize) -> Vec<u128> {
        let text = fs::read_to_string(&self.files[replica]).unwrap_or_default();
        // The last line may be half written.
        let complete = text.rsplit_once('\n').unwrap_or_default().0;
        complete.lines().map(|line| line.parse().unwrap()).collect()
    }

    /// Waits until the second replica works, and compares.
    async fn compare(&self) {
        within(Duration::from_secs(40), "the second works", || async {
            self.work(1).len() > 20
        })
        .await;
        let (last, first) = (*self.work(0).last().unwrap(), self.work(1)[0]);
        assert!(
            last < first,
            "both at once, for at least {} ms",
            (last - first) / 1000
        );
        let [leader, _] = &self.processes;
        assert_eq!(leader.ended().as_deref(), Some(EXPIRED));
        assert!(leader.said(&["lease about to expire"]));
        eprintln!(
            "the second replica began {} ms after the first had ended",
            (first - last) / 1000
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaders_whose_work_does_not_yield_are_never_two_at_work() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let environment = match Environment::builder().start().await {
        Err(error @ (Error::NotFound { .. } | Error::Incomplete { .. })) => {
            skip(format_args!("no blocked leader was tested: {error}"));
            return;
        }
        started => started.unwrap(),
    };
    let folder = tempfile::tempdir().unwrap();
    let direct = environment.kubeconfig();
    let proxy = Proxy::new(&environment.url()).await;
    let proxied = proxy.leads(&direct, &environment.url());
    let runtime = Replicas::start(folder.path(), "runtime", [&direct, &direct]).await;
    let blocking = Replicas::start(folder.path(), "blocking", [&proxied, &direct]).await;

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
    // A thread of the runtime that is blocked cannot renew; the other leader has to be cut off.
    drop(proxy);
    tokio::join!(runtime.compare(), blocking.compare());
}
