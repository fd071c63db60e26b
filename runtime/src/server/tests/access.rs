//! Who may read, and how long the answer is remembered.

use std::time::Duration;

use futures::future::join_all;
use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use serde_json::json;
use tokio::time::{Instant, advance};

use super::api_server::{Reviews, client};
use crate::server::access::{Access, Refusal};

const TOKEN_REVIEW: &str = "TokenReview";
const ACCESS_REVIEW: &str = "SubjectAccessReview";

struct Reader {
    reviews: Reviews,
    access: Access,
}

impl Reader {
    fn new() -> Self {
        Self::of(Reviews::default())
    }

    fn of(reviews: Reviews) -> Self {
        let access = Access::new(client(&reviews));
        Self { reviews, access }
    }

    async fn ask(&self, authorization: &str) -> Result<(), Refusal> {
        let headers =
            HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(authorization).unwrap())]);
        self.access.check(&headers, "/metrics").await
    }
}

#[tokio::test]
async fn the_api_server_is_asked_who_it_is_and_what_they_may() {
    let reader = Reader::new();
    assert_eq!(reader.ask("Bearer prometheus").await, Ok(()));
    let reviews = reader.reviews.take();
    assert_eq!(reviews.len(), 2);
    assert_eq!(reviews[0]["spec"], json!({ "token": "prometheus" }));
    assert_eq!(
        reviews[1]["spec"],
        json!({
            "user": "prometheus",
            "uid": "7",
            "groups": ["system:serviceaccounts", "system:authenticated"],
            "extra": { "authentication.kubernetes.io/pod-name": ["prometheus-0"] },
            "nonResourceAttributes": { "path": "/metrics", "verb": "get" },
        })
    );
}

#[tokio::test]
async fn without_a_token_nobody_is_asked() {
    let reader = Reader::new();
    assert_eq!(
        reader.access.check(&HeaderMap::new(), "/metrics").await,
        Err(Refusal::Unauthenticated)
    );
    for authorization in ["Bearer", "Bearer ", "Basic prometheus", "prometheus"] {
        assert_eq!(
            reader.ask(authorization).await,
            Err(Refusal::Unauthenticated),
            "{authorization}"
        );
    }
    assert_eq!(reader.reviews.take().len(), 0);
    assert_eq!(reader.ask("bearer  prometheus ").await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn a_permission_is_asked_for_again_after_five_minutes_and_an_identity_after_one() {
    let reader = Reader::new();
    assert_eq!(reader.ask("Bearer prometheus").await, Ok(()));
    assert_eq!(reader.reviews.kinds(), [TOKEN_REVIEW, ACCESS_REVIEW]);
    advance(Duration::from_secs(59)).await;
    assert_eq!(reader.ask("Bearer prometheus").await, Ok(()));
    assert_eq!(reader.reviews.kinds(), [""; 0]);
    advance(Duration::from_secs(1)).await;
    assert_eq!(reader.ask("Bearer prometheus").await, Ok(()));
    assert_eq!(reader.reviews.kinds(), [TOKEN_REVIEW]);
    advance(Duration::from_secs(240)).await;
    assert_eq!(reader.ask("Bearer prometheus").await, Ok(()));
    assert_eq!(reader.reviews.kinds(), [TOKEN_REVIEW, ACCESS_REVIEW]);
}

#[tokio::test(start_paused = true)]
async fn a_denial_holds_for_half_a_minute_and_a_wrong_token_for_one() {
    let reader = Reader::new();
    let denied = Err(Refusal::Forbidden {
        user: "visitor".to_owned(),
    });
    for wait in [0, 29] {
        advance(Duration::from_secs(wait)).await;
        assert_eq!(reader.ask("Bearer visitor").await, denied);
        assert_eq!(
            reader.ask("Bearer wrong").await,
            Err(Refusal::Unauthenticated)
        );
    }
    assert_eq!(
        reader.reviews.kinds(),
        [TOKEN_REVIEW, ACCESS_REVIEW, TOKEN_REVIEW]
    );
    advance(Duration::from_secs(1)).await;
    assert_eq!(reader.ask("Bearer visitor").await, denied);
    assert_eq!(
        reader.ask("Bearer wrong").await,
        Err(Refusal::Unauthenticated)
    );
    assert_eq!(reader.reviews.kinds(), [ACCESS_REVIEW]);
    advance(Duration::from_secs(30)).await;
    assert_eq!(
        reader.ask("Bearer wrong").await,
        Err(Refusal::Unauthenticated)
    );
    assert_eq!(reader.reviews.kinds(), [TOKEN_REVIEW]);
}

#[tokio::test(start_paused = true)]
async fn an_api_server_that_cannot_be_asked_permits_nothing_and_is_asked_again() {
    let reader = Reader::new();
    for _ in 0..2 {
        assert_eq!(reader.ask("Bearer outage").await, Err(Refusal::Unknown));
        assert_eq!(reader.reviews.kinds(), [TOKEN_REVIEW]);
    }
    let start = Instant::now();
    assert_eq!(reader.ask("Bearer hang").await, Err(Refusal::Unknown));
    assert_eq!(start.elapsed().as_secs(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_unknown_tokens_is_four_reviews_at_a_time() {
    let reader = Reader::of(Reviews::slow());
    let flood = (0..500).map(|number| {
        let authorization = format!("Bearer {number}");
        let reader = &reader;
        async move { reader.ask(&authorization).await }
    });
    let answers = join_all(flood).await;
    assert_eq!(reader.reviews.most_at_once(), 4);
    let busy = answers
        .iter()
        .filter(|answer| **answer == Err(Refusal::Busy));
    // A review takes 100 ms, and the others wait for two seconds.
    assert_eq!(busy.count(), 500 - reader.reviews.take().len());
    assert_eq!(reader.ask("Bearer prometheus").await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn requests_with_the_same_token_share_one_review() {
    let reader = Reader::of(Reviews::slow());
    let same = (0..50).map(|_| reader.ask("Bearer prometheus"));
    assert_eq!(join_all(same).await, vec![Ok(()); 50]);
    assert_eq!(reader.reviews.kinds(), [TOKEN_REVIEW, ACCESS_REVIEW]);
    let same = (0..50).map(|_| reader.ask("Bearer wrong"));
    assert_eq!(
        join_all(same).await,
        vec![Err(Refusal::Unauthenticated); 50]
    );
    assert_eq!(reader.reviews.kinds(), [TOKEN_REVIEW]);
}

#[tokio::test(start_paused = true)]
async fn unknown_tokens_push_no_known_one_out() {
    let reader = Reader::of(Reviews::slow());
    assert_eq!(reader.ask("Bearer prometheus").await, Ok(()));
    for round in 0..25 {
        let flood = (0..60).map(|number| {
            let authorization = format!("Bearer {round}-{number}");
            let reader = &reader;
            async move { reader.ask(&authorization).await }
        });
        join_all(flood).await;
    }
    reader.reviews.take();
    assert_eq!(reader.ask("Bearer prometheus").await, Ok(()));
    assert_eq!(reader.reviews.kinds(), [""; 0]);
}
