//! Throttling of writes, and the report of contested fields.

use kube::{
    Resource,
    api::GetParams,
    core::{Request, Status, response::reason},
};
use serde_json::Value;

use super::{Objects, digest::digest, field_conflict::FieldConflict, owner::title_of};
use crate::retry_after::deferred;

/// The object or status that is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteTarget<'a> {
    pub(super) name: &'a str,
    pub(super) namespace: Option<&'a str>,
    pub(super) is_status: bool,
}

/// Permission for one write. Pass it to [`Objects::record_write`] after the write succeeded.
#[derive(Debug)]
#[must_use = "pass it to `record_write`"]
pub(super) struct WritePermit(u64);

impl Objects {
    /// Permits a write, unless the object is written too often (see `throttle`).
    ///
    /// # Errors
    ///
    /// Returns a deferral with code 429 and the delay, which a controller does not count as a failure. Logs and counts it.
    pub(super) async fn acquire_permit<K>(
        &self,
        target: WriteTarget<'_>,
        desired: impl FnOnce() -> Value,
    ) -> Result<WritePermit, kube::Error>
    where
        K: Resource<DynamicType = ()>,
    {
        let WriteTarget {
            name,
            namespace,
            is_status,
        } = target;
        let object = digest(&(K::url_path(&(), namespace), name, is_status));
        let Some(delay) = self.throttle.delay(object) else {
            return Ok(WritePermit(object));
        };
        let throttled = if is_status {
            &self.metrics.throttled_statuses
        } else {
            &self.metrics.throttled_applies
        };
        throttled.inc();
        if delay.is_first {
            // Boxed, because the future is large and rarely used.
            Box::pin(self.report_conflict::<K>(target, &desired(), delay.seconds)).await;
        }
        let message = format!("{} is written too often", title_of::<K>(name, namespace));
        let status = Status::failure(&message, reason::TOO_MANY_REQUESTS).with_code(429);
        Err(deferred(status, delay.seconds))
    }

    pub(super) fn record_write(&self, permit: &WritePermit) {
        self.throttle.record_write(permit.0);
    }

    /// Logs the contested fields and their managers. Reads the live object: caches and responses only have our own managed fields.
    async fn report_conflict<K>(&self, target: WriteTarget<'_>, desired: &Value, seconds: u32)
    where
        K: Resource<DynamicType = ()>,
    {
        let WriteTarget {
            name, namespace, ..
        } = target;
        let object = title_of::<K>(name, namespace);
        let live = match self.get_live::<K>(name, namespace).await {
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
        let FieldConflict { fields, managers } = FieldConflict::new(desired, &live, &self.manager);
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

    async fn get_live<K>(&self, name: &str, namespace: Option<&str>) -> Result<Value, kube::Error>
    where
        K: Resource<DynamicType = ()>,
    {
        let request = Request::new(K::url_path(&(), namespace));
        let request = request.get(name, &GetParams::default());
        let request = request.map_err(kube::Error::BuildRequest)?;
        self.client.request(request).await
    }
}
