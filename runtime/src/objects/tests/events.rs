//! Requests for events.

use std::time::Duration;

use kube::runtime::events::EventType;
use serde_json::json;

use super::{OWNER_UID, server::failure, shop};
use crate::objects::{Events, tests::Server};

/// Lets the task that sends run until it waits. Time is paused: it takes none.
async fn until_sent() {
    tokio::time::sleep(Duration::from_millis(10)).await;
}

const LINE: &str = "POST /apis/events.k8s.io/v1/namespaces/default/events?";

#[tokio::test(start_paused = true)]
async fn an_event_names_its_object_and_an_equal_one_makes_a_series() {
    let server = Server::new([
        (201, json!({"metadata": {"name": "e"}})),
        (200, json!({"metadata": {"name": "e"}})),
    ]);
    let events = Events::new(server.client(), "shop-operator");
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

    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0].line, LINE);
    let event = &asked[0].body;
    assert_eq!(event["regarding"]["uid"], OWNER_UID);
    assert_eq!(event["reportingController"], "shop-operator");
    assert_eq!(
        [&event["type"], &event["reason"], &event["action"]],
        ["Warning", "NoImage", "Deploy"]
    );
    assert_eq!(event["note"], "the image is not there");
    assert!(
        asked[1]
            .line
            .starts_with("PATCH /apis/events.k8s.io/v1/namespaces/default/events/a."),
        "{}",
        asked[1].line
    );
    assert_eq!(asked[1].body["series"]["count"], 2);
}

#[tokio::test(start_paused = true)]
async fn what_is_too_long_is_cut_between_characters() {
    let server = Server::new([(201, json!({"metadata": {"name": "e"}}))]);
    let events = Events::new(server.client(), "shop-operator");
    events.publish(
        &shop(),
        EventType::Normal,
        &"R".repeat(200),
        &"ä".repeat(100),
        "x".to_owned() + &"ä".repeat(1000),
    );
    until_sent().await;
    let event = &server.asked()[0].body;
    assert_eq!(event["reason"].as_str().unwrap().len(), 128);
    assert_eq!(event["action"].as_str().unwrap().len(), 128);
    assert_eq!(event["note"].as_str().unwrap().len(), 1023);
}

#[tokio::test(start_paused = true)]
async fn an_error_stops_nothing() {
    let server = Server::new([
        failure(403, "Forbidden", "no"),
        failure(500, "InternalError", "oh"),
        (201, json!({"metadata": {}})),
    ]);
    let events = Events::new(server.client(), "shop-operator");
    for reason in ["A", "B", "C"] {
        events.publish(&shop(), EventType::Normal, reason, "Deploy", "");
    }
    until_sent().await;
    assert_eq!(server.lines(), [LINE; 3]);
}

#[tokio::test(start_paused = true)]
async fn an_object_with_too_many_events_loses_some() {
    let server = Server::default();
    let events = Events::new(server.client(), "shop-operator");
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
    assert_eq!(server.asked().len(), 25);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_answer_holds_up_nobody() {
    let service = tower::service_fn(|_: http::Request<kube::client::Body>| {
        std::future::pending::<Result<http::Response<kube::client::Body>, std::convert::Infallible>>(
        )
    });
    let events = Events::new(kube::Client::new(service, "default"), "shop-operator");
    let start = tokio::time::Instant::now();
    for number in 0..2000 {
        let mut object = shop();
        object.metadata.uid = Some(number.to_string());
        events.publish(&object, EventType::Normal, "R", "Deploy", "");
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
}
