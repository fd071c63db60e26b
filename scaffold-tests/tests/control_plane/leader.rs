//! Leader election between candidates on one Lease.

use std::time::Duration;

use kb::leader::{Config, Elector, Leadership, LeadershipLost};
use serde_json::json;
use tokio::{task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::place::Place;

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

    fn leads(&self) -> bool {
        self.leadership.is_leader()
    }

    async fn until_it_leads(&mut self) {
        let leads = self.leadership.acquired();
        tokio::time::timeout(Duration::from_secs(20), leads)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn leadership_goes_over_at_once_when_it_is_released_and_later_when_the_leader_is_gone() {
    let Some(place) = Place::new("leader").await else {
        return;
    };
    let rules = json!([{"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["get", "create", "update"]}]);
    let account = place.account("leader", rules).await;
    let client = place.environment.client_as(&account).await.unwrap();
    let candidate = || Candidate::new(client.clone(), &place.namespace);

    let mut first = candidate();
    first.until_it_leads().await;
    let mut second = candidate();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(first.leads() && !second.leads());

    let released = Instant::now();
    first.stop.cancel();
    first.election.await.unwrap().unwrap();
    second.until_it_leads().await;
    assert!(
        released.elapsed() < Duration::from_secs(2),
        "{:?}",
        released.elapsed()
    );

    let mut third = candidate();
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert!(second.leads() && !third.leads());
    let gone = Instant::now();
    second.election.abort();
    third.until_it_leads().await;
    let waited = gone.elapsed();
    assert!(
        waited > Duration::from_secs(2) && waited < Duration::from_secs(6),
        "{waited:?}"
    );
    third.stop.cancel();
    third.election.await.unwrap().unwrap();
}
