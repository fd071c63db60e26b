//! Requests of the event recorder.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use kube::runtime::events::EventType;
use serde_json::{Value, json};

use super::{
    OWNER_UID,
    server::{RecordedRequest, failure},
    shop,
};
use crate::objects::{EventRecorder, tests::Server};

/// Lets the sending tasks run until they are idle. Time is paused.
async fn until_sent() {
    tokio::time::sleep(Duration::from_millis(10)).await;
}

const LINE: &str = "POST /apis/events.k8s.io/v1/namespaces/default/events?";

#[tokio::test(start_paused = true)]
async fn creates_an_event_and_counts_equal_ones_in_a_series() {
    let server = Server::new([
        (201, json!({"metadata": {"name": "e"}})),
        (200, json!({"metadata": {"name": "e"}})),
    ]);
    let events = EventRecorder::new(server.client(), "shop-operator");
    events.publish(
        &shop(),
        EventType::Warning,
        "NoImage",
        "Deploy",
        "the image is not there",
    );
    events.publish(
        &shop(),
        EventType::Warning,
        "NoImage",
        "Deploy",
        "the image is not there",
    );
    until_sent().await;

    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].line, LINE);
    let event = &requests[0].body;
    assert_eq!(event["regarding"]["uid"], OWNER_UID);
    assert_eq!(event["reportingController"], "shop-operator");
    assert_eq!(
        [&event["type"], &event["reason"], &event["action"]],
        ["Warning", "NoImage", "Deploy"]
    );
    assert_eq!(event["note"], "the image is not there");
    assert!(
        requests[1]
            .line
            .starts_with("PATCH /apis/events.k8s.io/v1/namespaces/default/events/a."),
        "{}",
        requests[1].line
    );
    let series = &requests[1].body["series"];
    assert_eq!(series["count"], 2);
    assert!(series["lastObservedTime"].is_string());
    assert_eq!(requests[1].content_type, "application/merge-patch+json");
}

/// Publishes each note after a delay, and returns the methods of the requests.
async fn methods(answers: Vec<(u16, Value)>, notes: &[(u64, &str)]) -> Vec<String> {
    let server = Server::new(answers);
    let events = EventRecorder::new(server.client(), "shop-operator");
    for (pause, note) in notes {
        tokio::time::sleep(Duration::from_secs(*pause)).await;
        events.publish(&shop(), EventType::Normal, "Deleted", "Prune", *note);
        until_sent().await;
    }
    let method = |line: String| line.split(' ').next().unwrap_or_default().to_owned();
    server.lines().into_iter().map(method).collect()
}

#[tokio::test(start_paused = true)]
async fn combines_only_recent_equal_events() {
    let ok = (200, json!({"metadata": {"name": "e"}}));
    let gone = vec![ok.clone(), failure(404, "NotFound", "gone")];
    let failed = vec![failure(500, "InternalError", "oh")];
    let cases = [
        (vec![], (0, "two"), "POST POST", "another note"),
        (vec![], (359, "one"), "POST PATCH", "within the timeout"),
        (vec![], (360, "one"), "POST POST", "after the timeout"),
        (gone, (0, "one"), "POST PATCH POST", "deleted"),
        (failed, (0, "one"), "POST POST", "first one failed"),
    ];
    for (mut answers, second, expected, why) in cases {
        answers.extend([ok.clone(), ok.clone()]);
        let methods = methods(answers, &[(0, "one"), second]).await;
        assert_eq!(methods.join(" "), expected, "{why}");
    }
}

#[tokio::test(start_paused = true)]
async fn sends_events_about_different_objects_concurrently() {
    let (server, requests) = (Server::default(), Arc::new(AtomicUsize::new(0)));
    let slow = {
        let (server, requests) = (server.client(), Arc::clone(&requests));
        tower::service_fn(move |request: http::Request<kube::client::Body>| {
            requests.fetch_add(1, Ordering::Relaxed);
            let server = server.clone();
            async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                server.send(request).await
            }
        })
    };
    let events = EventRecorder::new(kube::Client::new(slow, "default"), "shop-operator");
    for number in 0..100 {
        let mut object = shop();
        object.metadata.uid = Some(number.to_string());
        for reason in ["First", "Second"] {
            events.publish(&object, EventType::Normal, reason, "Deploy", "");
        }
    }
    until_sent().await;
    assert_eq!(requests.load(Ordering::Relaxed), 8);

    tokio::time::sleep(Duration::from_secs(60)).await;
    let requests = server.requests();
    assert_eq!(requests.len(), 200);
    for number in 0..100 {
        let uid = number.to_string();
        let about = |requests: &&RecordedRequest| requests.body["regarding"]["uid"] == *uid;
        let reasons = requests
            .iter()
            .filter(about)
            .map(|requests| &requests.body["reason"]);
        assert!(reasons.eq(["First", "Second"]), "in order");
    }
}

#[tokio::test(start_paused = true)]
async fn truncates_at_character_boundaries() {
    let server = Server::new([(201, json!({"metadata": {"name": "e"}}))]);
    let events = EventRecorder::new(server.client(), "shop-operator");
    events.publish(
        &shop(),
        EventType::Normal,
        &"R".repeat(200),
        &"ä".repeat(100),
        "x".to_owned() + &"ä".repeat(1000),
    );
    until_sent().await;
    let event = &server.requests()[0].body;
    assert_eq!(event["reason"].as_str().unwrap().len(), 128);
    assert_eq!(event["action"].as_str().unwrap().len(), 128);
    assert_eq!(event["note"].as_str().unwrap().len(), 1023);
}

#[tokio::test(start_paused = true)]
async fn continues_after_errors() {
    let server = Server::new([
        failure(403, "Forbidden", "no"),
        failure(500, "InternalError", "oh"),
        (201, json!({"metadata": {}})),
    ]);
    let events = EventRecorder::new(server.client(), "shop-operator");
    for reason in ["A", "B", "C"] {
        events.publish(&shop(), EventType::Normal, reason, "Deploy", "");
    }
    until_sent().await;
    assert_eq!(server.lines(), [LINE; 3]);
}

#[tokio::test(start_paused = true)]
async fn limits_events_per_object() {
    let server = Server::default();
    let events = EventRecorder::new(server.client(), "shop-operator");
    for number in 0..100 {
        events.publish(
            &shop(),
            EventType::Normal,
            &format!("R{number}"),
            "Deploy",
            "",
        );
    }
    until_sent().await;
    assert_eq!(server.requests().len(), 25);
}

#[tokio::test(start_paused = true)]
async fn publishing_does_not_wait_for_the_server() {
    let service = tower::service_fn(|_: http::Request<kube::client::Body>| {
        std::future::pending::<Result<http::Response<kube::client::Body>, std::convert::Infallible>>(
        )
    });
    let events = EventRecorder::new(kube::Client::new(service, "default"), "shop-operator");
    let start = tokio::time::Instant::now();
    for number in 0..2000 {
        let mut object = shop();
        object.metadata.uid = Some(number.to_string());
        events.publish(&object, EventType::Normal, "R", "Deploy", "");
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn retries_for_ten_seconds_if_the_server_is_overloaded() {
    let busy = || failure(429, "TooManyRequests", "later");
    let server = Server::new([busy(), busy(), (201, json!({"metadata": {}}))]);
    let events = EventRecorder::new(server.client(), "shop-operator");
    events.publish(&shop(), EventType::Normal, "Created", "Deploy", "");
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(server.lines(), [LINE; 3]);

    let server = Server::new(std::iter::repeat_with(busy).take(100));
    let events = EventRecorder::new(server.client(), "shop-operator");
    events.publish(&shop(), EventType::Normal, "Created", "Deploy", "");
    tokio::time::sleep(Duration::from_secs(60)).await;
    let requests = server.lines().len();
    assert!((9..=11).contains(&requests), "{requests}");
}
