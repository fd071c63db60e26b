//! Who may read, and how long the answer is remembered.

use std::time::Duration;

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
        let reviews = Reviews::default();
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
