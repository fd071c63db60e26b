//! Leader election between candidates on one Lease.

use std::time::Duration;

use kb::leader::{Config, Elector, Leadership, LeadershipLost};
use serde_json::json;
use tokio::{task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::test_namespace::TestNamespace;

struct Candidate {
    leadership: Leadership,
    stop: CancellationToken,
    election: JoinHandle<Result<(), LeadershipLost>>,
}

impl Candidate {
    fn new(client: kube::Client, namespace: &str) -> Self {
        let config = Config {
            lease_duration: Duration::from_secs(3),
            renew_deadline: Duration::from_secs(2),
            retry_period: Duration::from_millis(500),
            ..Config::new("shop", Some(namespace.to_owned())).unwrap()
        };
        let elector = Elector::new(client, config).unwrap();
        let stop = CancellationToken::new();
        Self {
            leadership: elector.leadership(),
            election: tokio::spawn(elector.run(stop.clone())),
            stop,
        }
    }

    fn is_leader(&self) -> bool {
        self.leadership.is_leader()
    }

    async fn wait_until_leading(&mut self) {
        let acquired = self.leadership.acquired();
        tokio::time::timeout(Duration::from_secs(60), acquired)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_released_lease_is_acquired_at_once_and_one_of_a_dead_leader_after_it_expires() {
    let Some(test) = TestNamespace::new("leader").await else {
        return;
    };
    let rules = json!([{"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["get", "create", "update"]}]);
    let account = test.account("leader", rules).await;
    let client = test.environment.client_as(&account).await.unwrap();
    let candidate = || Candidate::new(client.clone(), &test.namespace);

    let mut first = candidate();
    first.wait_until_leading().await;
    let mut second = candidate();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(first.is_leader() && !second.is_leader());

    let released = Instant::now();
    first.stop.cancel();
    first.election.await.unwrap().unwrap();
    second.wait_until_leading().await;
    assert!(
        released.elapsed() < Duration::from_secs(2),
        "{:?}",
        released.elapsed()
    );

    let mut third = candidate();
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert!(second.is_leader() && !third.is_leader());
    let died = Instant::now();
    second.election.abort();
    third.wait_until_leading().await;
    let waited = died.elapsed();
    assert!(
        waited > Duration::from_secs(2) && waited < Duration::from_secs(6),
        "{waited:?}"
    );
    third.stop.cancel();
    third.election.await.unwrap().unwrap();
}
