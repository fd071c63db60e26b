//! Authorization of metrics requests and its caches.

use std::time::Duration;

use futures::future::join_all;
use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use serde_json::json;
use tokio::time::{Instant, advance};

use super::api_server::{Reviews, client};
use crate::server::authorization::{Authorizer, Rejection};

const TOKEN_REVIEW: &str = "TokenReview";
const ACCESS_REVIEW: &str = "SubjectAccessReview";

struct Scraper {
    reviews: Reviews,
    authorizer: Authorizer,
}

impl Scraper {
    fn new() -> Self {
        Self::with_reviews(Reviews::default())
    }

    fn with_reviews(reviews: Reviews) -> Self {
        let authorizer = Authorizer::new(client(&reviews));
        Self {
            reviews,
            authorizer,
        }
    }

    async fn check(&self, authorization: &str) -> Result<(), Rejection> {
        let headers =
            HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(authorization).unwrap())]);
        self.authorizer.check(&headers, "/metrics").await
    }
}

#[tokio::test]
async fn authenticates_and_authorizes_with_the_api_server() {
    let scraper = Scraper::new();
    assert_eq!(scraper.check("Bearer prometheus").await, Ok(()));
    let reviews = scraper.reviews.take();
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
async fn requests_without_a_token_are_rejected_without_a_review() {
    let scraper = Scraper::new();
    assert_eq!(
        scraper
            .authorizer
            .check(&HeaderMap::new(), "/metrics")
            .await,
        Err(Rejection::Unauthenticated)
    );
    for authorization in ["Bearer", "Bearer ", "Basic prometheus", "prometheus"] {
        assert_eq!(
            scraper.check(authorization).await,
            Err(Rejection::Unauthenticated),
            "{authorization}"
        );
    }
    assert_eq!(scraper.reviews.take().len(), 0);
    assert_eq!(scraper.check("bearer  prometheus ").await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn caches_an_identity_for_one_minute_and_a_permission_for_five() {
    let scraper = Scraper::new();
    assert_eq!(scraper.check("Bearer prometheus").await, Ok(()));
    assert_eq!(scraper.reviews.kinds(), [TOKEN_REVIEW, ACCESS_REVIEW]);
    advance(Duration::from_secs(59)).await;
    assert_eq!(scraper.check("Bearer prometheus").await, Ok(()));
    assert_eq!(scraper.reviews.kinds(), [""; 0]);
    advance(Duration::from_secs(1)).await;
    assert_eq!(scraper.check("Bearer prometheus").await, Ok(()));
    assert_eq!(scraper.reviews.kinds(), [TOKEN_REVIEW]);
    advance(Duration::from_secs(240)).await;
    assert_eq!(scraper.check("Bearer prometheus").await, Ok(()));
    assert_eq!(scraper.reviews.kinds(), [TOKEN_REVIEW, ACCESS_REVIEW]);
}

#[tokio::test(start_paused = true)]
async fn caches_a_denial_for_30_seconds_and_an_invalid_token_for_one_minute() {
    let scraper = Scraper::new();
    let denied = Err(Rejection::Forbidden {
        user: "visitor".to_owned(),
    });
    for wait in [0, 29] {
        advance(Duration::from_secs(wait)).await;
        assert_eq!(scraper.check("Bearer visitor").await, denied);
        assert_eq!(
            scraper.check("Bearer wrong").await,
            Err(Rejection::Unauthenticated)
        );
    }
    assert_eq!(
        scraper.reviews.kinds(),
        [TOKEN_REVIEW, ACCESS_REVIEW, TOKEN_REVIEW]
    );
    advance(Duration::from_secs(1)).await;
    assert_eq!(scraper.check("Bearer visitor").await, denied);
    assert_eq!(
        scraper.check("Bearer wrong").await,
        Err(Rejection::Unauthenticated)
    );
    assert_eq!(scraper.reviews.kinds(), [ACCESS_REVIEW]);
    advance(Duration::from_secs(30)).await;
    assert_eq!(
        scraper.check("Bearer wrong").await,
        Err(Rejection::Unauthenticated)
    );
    assert_eq!(scraper.reviews.kinds(), [TOKEN_REVIEW]);
}

#[tokio::test(start_paused = true)]
async fn a_failed_review_rejects_the_request_and_is_not_cached() {
    let scraper = Scraper::new();
    for _ in 0..2 {
        assert_eq!(
            scraper.check("Bearer outage").await,
            Err(Rejection::ReviewFailed)
        );
        assert_eq!(scraper.reviews.kinds(), [TOKEN_REVIEW]);
    }
    let start = Instant::now();
    assert_eq!(
        scraper.check("Bearer hang").await,
        Err(Rejection::ReviewFailed)
    );
    assert_eq!(start.elapsed().as_secs(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_invalid_tokens_causes_at_most_four_concurrent_reviews() {
    let scraper = Scraper::with_reviews(Reviews::slow());
    let flood = (0..500).map(|number| {
        let authorization = format!("Bearer {number}");
        let scraper = &scraper;
        async move { scraper.check(&authorization).await }
    });
    let results = join_all(flood).await;
    assert_eq!(scraper.reviews.max_concurrent(), 4);
    let busy = results
        .iter()
        .filter(|result| **result == Err(Rejection::TooManyReviews));
    // A review takes 100 ms, and a request waits for two seconds.
    assert_eq!(busy.count(), 500 - scraper.reviews.take().len());
    assert_eq!(scraper.check("Bearer prometheus").await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn requests_with_the_same_token_share_one_review() {
    let scraper = Scraper::with_reviews(Reviews::slow());
    let requests = (0..50).map(|_| scraper.check("Bearer prometheus"));
    assert_eq!(join_all(requests).await, vec![Ok(()); 50]);
    assert_eq!(scraper.reviews.kinds(), [TOKEN_REVIEW, ACCESS_REVIEW]);
    let requests = (0..50).map(|_| scraper.check("Bearer wrong"));
    assert_eq!(
        join_all(requests).await,
        vec![Err(Rejection::Unauthenticated); 50]
    );
    assert_eq!(scraper.reviews.kinds(), [TOKEN_REVIEW]);
}

#[tokio::test(start_paused = true)]
async fn invalid_tokens_evict_no_identity() {
    let scraper = Scraper::with_reviews(Reviews::slow());
    assert_eq!(scraper.check("Bearer prometheus").await, Ok(()));
    for round in 0..25 {
        let flood = (0..60).map(|number| {
            let authorization = format!("Bearer {round}-{number}");
            let scraper = &scraper;
            async move { scraper.check(&authorization).await }
        });
        join_all(flood).await;
    }
    scraper.reviews.take();
    assert_eq!(scraper.check("Bearer prometheus").await, Ok(()));
    assert_eq!(scraper.reviews.kinds(), [""; 0]);
}
