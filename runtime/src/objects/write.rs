//! A write that is about to be sent: whether it may be, and who contests the object if not.

use kube::{
    Resource,
    api::GetParams,
    core::{Request, Status, response::reason},
};
use serde_json::Value;

use super::{Objects, contest::Contest, digest::digest, owner::titled};
use crate::retry_after::deferred;

/// What is written of which object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Write<'a> {
    pub(super) name: &'a str,
    pub(super) namespace: Option<&'a str>,
    pub(super) is_status: bool,
}

/// A write that may be sent.
#[derive(Debug)]
#[must_use = "it counts once it was carried out"]
pub(super) struct Allowed(u64);

impl Objects {
    /// Allows a write, unless the object is written too often (see `throttle`). `desired` is what is contested.
    ///
    /// # Errors
    ///
    /// A refusal as of an overloaded server, which names the time to wait. It is logged and counted here, and no failure of the reconcile.
    pub(super) async fn allow<K>(
        &self,
        write: Write<'_>,
        desired: impl FnOnce() -> serde_json::Result<Value>,
    ) -> Result<Allowed, kube::Error>
    where
        K: Resource<DynamicType = ()>,
    {
        let Write {
            name,
            namespace,
            is_status,
        } = write;
        let object = digest(&(K::url_path(&(), namespace), name, is_status));
        let Some(hold) = self.throttle.hold(object) else {
            return Ok(Allowed(object));
        };
        let throttled = if is_status {
            &self.metrics.throttled_statuses
        } else {
            &self.metrics.throttled_applies
        };
        throttled.inc();
        if hold.is_news {
            let desired = desired().map_err(kube::Error::SerdeError)?;
            // A large future that is seldom needed.
            Box::pin(self.report::<K>(write, &desired, hold.seconds)).await;
        }
        let message = format!("{} is written too often", titled::<K>(name, namespace));
        let refusal = Status::failure(&message, reason::TOO_MANY_REQUESTS).with_code(429);
        Err(deferred(refusal, hold.seconds))
    }

    /// A write was carried out.
    pub(super) fn wrote(&self, allowed: &Allowed) {
        self.throttle.wrote(allowed.0);
    }

    /// Logs what is contested, and by whom. Caches and answers keep only our own managed fields, so the object is read once more.
    async fn report<K>(&self, write: Write<'_>, desired: &Value, seconds: u32)
    where
        K: Resource<DynamicType = ()>,
    {
        let Write {
            name, namespace, ..
        } = write;
        let object = titled::<K>(name, namespace);
        let live = match self.live::<K>(name, namespace).await {
            Ok(live) => live,
            Err(error) => {
                let error = crate::controller::chain(&error);
                tracing::warn!(
                    object,
                    seconds,
                    error,
                    "object is written too often, throttling writes"
                );
                return;
            }
        };
        let Contest { fields, managers } = Contest::of(desired, &live, &self.manager);
        let fields = fields.join(", ");
        if managers.is_empty() {
            tracing::warn!(
                object,
                fields,
                seconds,
                "desired state keeps changing, throttling writes"
            );
        } else {
            let managers: Vec<&str> = managers.iter().map(String::as_str).collect();
            tracing::warn!(
                object,
                fields,
                field_managers = managers.join(", "),
                seconds,
                "another field manager keeps changing the same fields, throttling writes"
            );
        }
    }

    async fn live<K>(&self, name: &str, namespace: Option<&str>) -> Result<Value, kube::Error>
    where
        K: Resource<DynamicType = ()>,
    {
        let request = Request::new(K::url_path(&(), namespace));
        let request = request.get(name, &GetParams::default());
        let request = request.map_err(kube::Error::BuildRequest)?;
        self.client.request(request).await
    }
}
