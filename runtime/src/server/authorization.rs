//! Authentication and authorization of metrics requests by the API server, as in controller-runtime.
//!
//! A `TokenReview` authenticates the bearer token of a request, a `SubjectAccessReview` authorizes its user. The operator needs `create` on
//! both. Results are cached with controller-runtime's TTLs. Tokens are neither logged nor stored.
//!
//! Anyone can send unknown tokens, each of which causes a request to the API server. So the number of concurrent reviews is limited, and
//! requests with the same token share one.

use std::{
    error::Error,
    future::Future,
    hash::{BuildHasher, RandomState},
    sync::Arc,
    time::Duration,
};

use http::{HeaderMap, header::AUTHORIZATION};
use k8s_openapi::api::{
    authentication::v1::{TokenReview, TokenReviewSpec, UserInfo},
    authorization::v1::{NonResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec},
};
use kube::{Api, Client, api::PostParams};
use tokio::{
    sync::{Mutex, MutexGuard},
    time::timeout,
};

use super::ttl_cache::TtlCache;
use crate::controller::chain;

/// TTL of authentication results.
const IDENTITY_TTL: Duration = Duration::from_secs(60);

/// TTL of positive authorization results.
const ALLOWED_TTL: Duration = Duration::from_secs(300);

/// TTL of negative authorization results.
const DENIED_TTL: Duration = Duration::from_secs(30);

/// Timeout of one review.
const REVIEW_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of concurrent reviews.
const MAX_REVIEWS: usize = 4;

/// How long a request waits for its review to start.
const REVIEW_WAIT: Duration = Duration::from_secs(2);

/// Why a request is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rejection {
    /// Missing or invalid token.
    Unauthenticated,
    /// The user lacks permission.
    Forbidden {
        /// User name.
        user: String,
    },
    /// The API server could not be reached or returned an error.
    ReviewFailed,
    /// Too many concurrent reviews.
    TooManyReviews,
}

/// Authenticates and authorizes requests, with caches.
pub(super) struct Authorizer {
    client: Client,
    identities: TtlCache<Arc<UserInfo>>,
    /// Invalid tokens. A separate cache, so that a flood of them evicts no identity.
    rejected: TtlCache<()>,
    permissions: TtlCache<bool>,
    reviews: Reviews,
}

impl Authorizer {
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            identities: TtlCache::new(),
            rejected: TtlCache::new(),
            permissions: TtlCache::new(),
            reviews: Reviews::default(),
        }
    }

    /// Checks whether the sender of these headers may GET `path`.
    pub(super) async fn check(&self, headers: &HeaderMap, path: &str) -> Result<(), Rejection> {
        let token = bearer_token(headers).ok_or(Rejection::Unauthenticated)?;
        if let Some(result) = self.cached(token, path) {
            return result;
        }
        let _review = self.reviews.acquire(token).await?;
        // A concurrent request with this token may have been reviewed meanwhile.
        if let Some(result) = self.cached(token, path) {
            return result;
        }
        let user = match self.identities.get(token.as_bytes()) {
            Some(user) => user,
            None => self.authenticate(token).await?,
        };
        let spec = review_spec(&user, path);
        let allowed = self.authorize(&spec).await?;
        decision(&user, path, allowed)
    }

    /// Returns the cached result.
    fn cached(&self, token: &str, path: &str) -> Option<Result<(), Rejection>> {
        if self.rejected.get(token.as_bytes()).is_some() {
            return Some(Err(Rejection::Unauthenticated));
        }
        let user = self.identities.get(token.as_bytes())?;
        let key = cache_key(&review_spec(&user, path)).ok()?;
        let allowed = self.permissions.get(&key)?;
        Some(decision(&user, path, allowed))
    }

    async fn authenticate(&self, token: &str) -> Result<Arc<UserInfo>, Rejection> {
        let review = TokenReview {
            spec: TokenReviewSpec {
                token: token.to_owned(),
                ..TokenReviewSpec::default()
            },
            ..TokenReview::default()
        };
        let api = Api::<TokenReview>::all(self.client.clone());
        let status = send_review("tokenreviews", api.create(&PostParams::default(), &review))
            .await?
            .status;
        let status = status.ok_or(Rejection::ReviewFailed)?;
        let authenticated = status.authenticated == Some(true);
        let Some(user) = status.user.filter(|_| authenticated).map(Arc::new) else {
            self.rejected.insert(token.as_bytes(), (), IDENTITY_TTL);
            return Err(Rejection::Unauthenticated);
        };
        self.identities
            .insert(token.as_bytes(), Arc::clone(&user), IDENTITY_TTL);
        Ok(user)
    }

    async fn authorize(&self, spec: &SubjectAccessReviewSpec) -> Result<bool, Rejection> {
        let key = cache_key(spec)?;
        if let Some(allowed) = self.permissions.get(&key) {
            return Ok(allowed);
        }
        let review = SubjectAccessReview {
            spec: spec.clone(),
            ..SubjectAccessReview::default()
        };
        let api = Api::<SubjectAccessReview>::all(self.client.clone());
        let status = send_review(
            "subjectaccessreviews",
            api.create(&PostParams::default(), &review),
        )
        .await?
        .status;
        let allowed = status.ok_or(Rejection::ReviewFailed)?.allowed;
        let ttl = if allowed { ALLOWED_TTL } else { DENIED_TTL };
        self.permissions.insert(&key, allowed, ttl);
        Ok(allowed)
    }
}

/// Returns the spec of a review whether `user` may GET `path`.
fn review_spec(user: &UserInfo, path: &str) -> SubjectAccessReviewSpec {
    let user = user.clone();
    SubjectAccessReviewSpec {
        extra: user.extra,
        groups: user.groups,
        non_resource_attributes: Some(NonResourceAttributes {
            path: Some(path.to_owned()),
            verb: Some("get".to_owned()),
        }),
        resource_attributes: None,
        uid: user.uid,
        user: user.username,
    }
}

/// Returns the cache key: the whole spec, so that it changes with the groups.
fn cache_key(spec: &SubjectAccessReviewSpec) -> Result<Vec<u8>, Rejection> {
    serde_json::to_vec(spec).map_err(|_| Rejection::ReviewFailed)
}

fn decision(user: &UserInfo, path: &str, allowed: bool) -> Result<(), Rejection> {
    if allowed {
        return Ok(());
    }
    let user = user.username.clone().unwrap_or_default();
    tracing::debug!(user, path, "forbidden");
    Err(Rejection::Forbidden { user })
}

/// Limits concurrent reviews. A token always takes the same slot, so requests with equal tokens wait for each other. Clients cannot predict the
/// slot, because the hash keys are random.
#[derive(Default)]
struct Reviews {
    hasher: RandomState,
    slots: [Mutex<()>; MAX_REVIEWS],
}

impl Reviews {
    /// Waits for the token's slot, which is held until the guard is dropped.
    async fn acquire(&self, token: &str) -> Result<MutexGuard<'_, ()>, Rejection> {
        let hash = self.hasher.hash_one(token) % MAX_REVIEWS as u64;
        let slot = usize::try_from(hash).unwrap_or_default();
        timeout(REVIEW_WAIT, self.slots[slot].lock())
            .await
            .map_err(|_| Rejection::TooManyReviews)
    }
}

/// Sends a review. Errors contain no token: the API server does not echo it.
async fn send_review<T>(
    resource: &str,
    review: impl Future<Output = kube::Result<T>>,
) -> Result<T, Rejection> {
    let failed = |error: &(dyn Error + 'static)| {
        let error = chain(error);
        tracing::error!(
            error,
            resource,
            "failed to review metrics request, the operator requires create on this resource"
        );
        Rejection::ReviewFailed
    };
    match timeout(REVIEW_TIMEOUT, review).await {
        Ok(response) => response.map_err(|error| failed(&error)),
        Err(elapsed) => Err(failed(&elapsed)),
    }
}

/// Returns the token of `Authorization: Bearer TOKEN`.
fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers
        .get(AUTHORIZATION)?
        .to_str()
        .ok()?
        .trim()
        .split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
