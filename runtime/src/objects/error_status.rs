//! Reports the error of a reconcile in the conditions of the object, in the terms of kstatus: `Ready=False`, and `Stalled=True` if the error
//! is terminal.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::Resource;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{Objects, conditions, readiness::STALLED, status::status_of};

/// Reason of an error that has none.
const ERROR: &str = "ReconcileError";
/// Reason of a terminal error that has none.
const TERMINAL_ERROR: &str = "TerminalError";

/// An error to report.
#[derive(Debug)]
pub(crate) struct ReportedError<'a> {
    reason: Option<&'a str>,
    pub(crate) message: String,
    is_terminal: bool,
}

impl<'a> ReportedError<'a> {
    pub(crate) fn new(reason: Option<&'a str>, message: String, is_terminal: bool) -> Self {
        Self {
            reason,
            message,
            is_terminal,
        }
    }

    pub(crate) fn reason(&self) -> &str {
        let default = if self.is_terminal {
            TERMINAL_ERROR
        } else {
            ERROR
        };
        self.reason.unwrap_or(default)
    }
}

impl Objects {
    /// Sets the conditions of a failed reconcile. Sends no request if they are unchanged, or if the status has no conditions.
    pub(crate) async fn report_error<K>(
        &self,
        object: &K,
        error: &ReportedError<'_>,
    ) -> Result<(), kube::Error>
    where
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let generation = object.meta().generation;
        let status = changed_status(object, |status, conditions| {
            if let Some(generation) = generation {
                status["observedGeneration"] = generation.into();
            }
            let reason = error.reason();
            let ready = conditions::ready(false, reason, &error.message, generation);
            conditions::set(conditions, ready);
            if error.is_terminal {
                let message = "not retried until the object changes";
                let stalled = conditions::condition(STALLED, true, reason, message, generation);
                conditions::set(conditions, stalled);
            } else {
                conditions::remove(conditions, STALLED);
            }
        })?;
        if let Some(status) = status {
            self.patch_status(object, &status).await?;
        }
        Ok(())
    }
}

/// Changes a copy of the status. Returns `None` if its type has no conditions.
fn changed_status<K>(
    object: &K,
    change: impl FnOnce(&mut Value, &mut Vec<Condition>),
) -> Result<Option<Value>, kube::Error>
where
    K: Serialize + DeserializeOwned,
{
    let mut value = serde_json::to_value(object).map_err(kube::Error::SerdeError)?;
    let mut status = value.get_mut("status").map_or(Value::Null, Value::take);
    if !status.is_object() {
        status = json!({});
    }
    let conditions = status
        .get_mut("conditions")
        .map_or(Value::Null, Value::take);
    let mut conditions: Vec<Condition> = serde_json::from_value(conditions).unwrap_or_default();
    change(&mut status, &mut conditions);
    status["conditions"] = serde_json::to_value(&conditions).map_err(kube::Error::SerdeError)?;
    value["status"] = status;
    // Drops the fields that the type does not have.
    let typed: K = serde_json::from_value(value).map_err(kube::Error::SerdeError)?;
    let status = status_of(&typed)?;
    Ok(status.get("conditions").is_some().then_some(status))
}
