//! Who may read: the API server is asked, as Kubebuilder's operators do.
//!
//! The bearer token of a request goes into a `TokenReview`, which says who sends it; who it is goes into a `SubjectAccessReview`. The operator
//! needs `create` on both. Answers are remembered for controller-runtime's times. No token is logged or kept.
//!
//! Anybody can send tokens that nobody knows, and each of them is a request to the API server. So few reviews are under way at a time,
//! and requests with the same token share one.

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

use super::remembered::Remembered;
use crate::controller::chain;

/// How long it is known who a token belongs to, or that it is no good.
const IDENTITY_HOLDS: Duration = Duration::from_secs(60);

/// How long someone who may read is not asked about again.
const PERMISSION_HOLDS: Duration = Duration::from_secs(300);

/// How long someone who may not read is not asked about again.
const DENIAL_HOLDS: Duration = Duration::from_secs(30);

/// How long the API server may take for one review. kube's client tries again within it.
const REVIEW_TIMEOUT: Duration = Duration::from_secs(10);

/// How many requests are under review at a time.
const MOST_REVIEWS: usize = 4;

/// How long a request waits for its review to begin.
const REVIEW_WAIT: Duration = Duration::from_secs(2);

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// There is no token, or a wrong one.
    Unauthenticated,
    /// This user may not.
    Forbidden {
        /// Its name.
        user: String,
    },
    /// The API server did not say.
    Unknown,
    /// Too many other requests are under review.
    Busy,
}

/// Asks the API server, and remembers what it said.
pub(super) struct Access {
    client: Client,
    identities: Remembered<Arc<UserInfo>>,
    /// Tokens that the API server does not know. Apart, so that a flood of them pushes no identity out.
    rejected: Remembered<()>,
    permissions: Remembered<bool>,
    reviews: Reviews,
}

impl Access {
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            identities: Remembered::new(),
            rejected: Remembered::new(),
            permissions: Remembered::new(),
            reviews: Reviews::default(),
        }
    }

    /// Whether the sender of these headers may GET `path`.
    pub(super) async fn check(&self, headers: &HeaderMap, path: &str) -> Result<(), Refusal> {
        let token = bearer_token(headers).ok_or(Refusal::Unauthenticated)?;
        if let Some(known) = self.remembered(token, path) {
            return known;
        }
        let _review = self.reviews.begin(token).await?;
        // Another request with this token may have been reviewed meanwhile.
        if let Some(known) = self.remembered(token, path) {
            return known;
        }
        let user = match self.identities.get(token.as_bytes()) {
            Some(known) => known,
            None => self.identity(token).await?,
        };
        let spec = question(&user, path);
        let allowed = self.permission(&spec).await?;
        verdict(&user, path, allowed)
    }

    /// The answer, if the API server need not be asked.
    fn remembered(&self, token: &str, path: &str) -> Option<Result<(), Refusal>> {
        if self.rejected.get(token.as_bytes()).is_some() {
            return Some(Err(Refusal::Unauthenticated));
        }
        let user = self.identities.get(token.as_bytes())?;
        let question = key(&question(&user, path)).ok()?;
        let allowed = self.permissions.get(&question)?;
        Some(verdict(&user, path, allowed))
    }

    async fn identity(&self, token: &str) -> Result<Arc<UserInfo>, Refusal> {
        let review = TokenReview {
            spec: TokenReviewSpec {
                token: token.to_owned(),
                ..TokenReviewSpec::default()
            },
            ..TokenReview::default()
        };
        let api = Api::<TokenReview>::all(self.client.clone());
        let status = asked("tokenreviews", api.create(&PostParams::default(), &review))
            .await?
            .status;
        let status = status.ok_or(Refusal::Unknown)?;
        let authenticated = status.authenticated == Some(true);
        let Some(user) = status.user.filter(|_| authenticated).map(Arc::new) else {
            self.rejected.put(token.as_bytes(), (), IDENTITY_HOLDS);
            return Err(Refusal::Unauthenticated);
        };
        self.identities
            .put(token.as_bytes(), Arc::clone(&user), IDENTITY_HOLDS);
        Ok(user)
    }

    async fn permission(&self, spec: &SubjectAccessReviewSpec) -> Result<bool, Refusal> {
        let question = key(spec)?;
        if let Some(known) = self.permissions.get(&question) {
            return Ok(known);
        }
        let review = SubjectAccessReview {
            spec: spec.clone(),
            ..SubjectAccessReview::default()
        };
        let api = Api::<SubjectAccessReview>::all(self.client.clone());
        let status = asked(
            "subjectaccessreviews",
            api.create(&PostParams::default(), &review),
        )
        .await?
        .status;
        let allowed = status.ok_or(Refusal::Unknown)?.allowed;
        let holds = if allowed {
            PERMISSION_HOLDS
        } else {
            DENIAL_HOLDS
        };
        self.permissions.put(&question, allowed, holds);
        Ok(allowed)
    }
}

/// Whether this user may GET `path`, as the API server is asked.
fn question(user: &UserInfo, path: &str) -> SubjectAccessReviewSpec {
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

/// The whole question, so that a change of groups is another question.
fn key(question: &SubjectAccessReviewSpec) -> Result<Vec<u8>, Refusal> {
    serde_json::to_vec(question).map_err(|_| Refusal::Unknown)
}

fn verdict(user: &UserInfo, path: &str, allowed: bool) -> Result<(), Refusal> {
    if allowed {
        return Ok(());
    }
    let user = user.username.clone().unwrap_or_default();
    tracing::debug!(user, path, "A user without permission was refused.");
    Err(Refusal::Forbidden { user })
}

/// Limits the reviews under way. A token always takes the same place, so equal tokens wait for one another; nobody outside knows which
/// place, because the hash is keyed at random.
#[derive(Default)]
struct Reviews {
    hasher: RandomState,
    places: [Mutex<()>; MOST_REVIEWS],
}

impl Reviews {
    /// Waits for the token's place. The review is under way until the guard is dropped.
    async fn begin(&self, token: &str) -> Result<MutexGuard<'_, ()>, Refusal> {
        let hash = self.hasher.hash_one(token) % MOST_REVIEWS as u64;
        let place = usize::try_from(hash).unwrap_or_default();
        timeout(REVIEW_WAIT, self.places[place].lock())
            .await
            .map_err(|_| Refusal::Busy)
    }
}

/// The answer of the API server. Errors of it hold no token: the API server does not repeat one.
async fn asked<T>(
    resource: &str,
    review: impl Future<Output = kube::Result<T>>,
) -> Result<T, Refusal> {
    let failed = |error: &(dyn Error + 'static)| {
        let error = chain(error);
        tracing::error!(
            error,
            resource,
            "Who may read metrics cannot be asked. The operator needs `create` on this resource."
        );
        Refusal::Unknown
    };
    match timeout(REVIEW_TIMEOUT, review).await {
        Ok(answer) => answer.map_err(|error| failed(&error)),
        Err(late) => Err(failed(&late)),
    }
}

/// The token of `Authorization: Bearer TOKEN`.
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
