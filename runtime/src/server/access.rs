//! Who may read: the API server is asked, as Kubebuilder's operators do.
//!
//! The bearer token of a request goes into a `TokenReview`, which says who sends it; who it is goes into a `SubjectAccessReview`. The operator
//! needs `create` on both. Answers are remembered for controller-runtime's times. No token is logged or kept.

use std::{fmt::Display, future::Future, sync::Arc, time::Duration};

use http::{HeaderMap, header::AUTHORIZATION};
use k8s_openapi::api::{
    authentication::v1::{TokenReview, TokenReviewSpec, UserInfo},
    authorization::v1::{NonResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec},
};
use kube::{Api, Client, api::PostParams};
use tokio::time::timeout;

use super::remembered::Remembered;

/// How long it is known who a token belongs to, or that it is no good.
const IDENTITY_HOLDS: Duration = Duration::from_secs(60);

/// How long someone who may read is not asked about again.
const PERMISSION_HOLDS: Duration = Duration::from_secs(300);

/// How long someone who may not read is not asked about again.
const DENIAL_HOLDS: Duration = Duration::from_secs(30);

/// How long the API server may take for one review. kube's client tries again within it.
const REVIEW_TIMEOUT: Duration = Duration::from_secs(10);

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
}

/// Asks the API server, and remembers what it said.
pub(super) struct Access {
    client: Client,
    identities: Remembered<Option<Arc<UserInfo>>>,
    permissions: Remembered<bool>,
}

impl Access {
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            identities: Remembered::new(),
            permissions: Remembered::new(),
        }
    }

    /// Whether the sender of these headers may GET `path`.
    pub(super) async fn check(&self, headers: &HeaderMap, path: &str) -> Result<(), Refusal> {
        let token = bearer_token(headers).ok_or(Refusal::Unauthenticated)?;
        let user = self
            .identity(token)
            .await?
            .ok_or(Refusal::Unauthenticated)?;
        if self.permission(&user, path).await? {
            return Ok(());
        }
        let user = user.username.clone().unwrap_or_default();
        tracing::debug!(user, path, "A user without permission was refused.");
        Err(Refusal::Forbidden { user })
    }

    async fn identity(&self, token: &str) -> Result<Option<Arc<UserInfo>>, Refusal> {
        if let Some(known) = self.identities.get(token.as_bytes()) {
            return Ok(known);
        }
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
        let user = status
            .user
            .filter(|_| status.authenticated == Some(true))
            .map(Arc::new);
        self.identities
            .put(token.as_bytes(), user.clone(), IDENTITY_HOLDS);
        Ok(user)
    }

    async fn permission(&self, user: &UserInfo, path: &str) -> Result<bool, Refusal> {
        let user = user.clone();
        let spec = SubjectAccessReviewSpec {
            extra: user.extra,
            groups: user.groups,
            non_resource_attributes: Some(NonResourceAttributes {
                path: Some(path.to_owned()),
                verb: Some("get".to_owned()),
            }),
            resource_attributes: None,
            uid: user.uid,
            user: user.username,
        };
        // The whole question, so that a change of groups is another question.
        let question = serde_json::to_vec(&spec).map_err(|_| Refusal::Unknown)?;
        if let Some(known) = self.permissions.get(&question) {
            return Ok(known);
        }
        let review = SubjectAccessReview {
            spec,
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

/// The answer of the API server. Errors of it hold no token: the API server does not repeat one.
async fn asked<T>(
    resource: &str,
    review: impl Future<Output = kube::Result<T>>,
) -> Result<T, Refusal> {
    let failed = |error: &dyn Display| {
        tracing::error!(%error, resource, "Who may read metrics cannot be asked. The operator needs `create` on this resource.");
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
