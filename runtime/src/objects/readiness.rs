//! Readiness of owned objects, reported as the condition `Ready`.
//!
//! Workloads are ready by the rules of `kubectl rollout status`, Jobs when they are complete, and all other objects once they are applied.

use std::any::Any;

use k8s_openapi::{
    api::{
        apps::v1::{DaemonSet, Deployment, StatefulSet},
        batch::v1::Job,
    },
    apimachinery::pkg::apis::meta::v1::Condition,
};
use kube::Resource;

use super::{conditions, owner::title};

/// Condition of an object that failed for good, in the terms of kstatus.
pub(crate) const STALLED: &str = "Stalled";

/// Summary of the readiness of owned objects.
///
/// ```
/// use kb::k8s_openapi::api::{apps::v1::Deployment, core::v1::Service};
/// use kb::objects::{Readiness, conditions};
///
/// let mut readiness = Readiness::default();
/// readiness.observe(&Service::default());
/// assert!(readiness.is_ready());
///
/// // Its replicas are not available yet.
/// readiness.observe(&Deployment::default());
/// assert!(!readiness.is_ready());
///
/// let mut conditions = Vec::new();
/// readiness.set_on(&mut conditions, Some(1));
/// assert!(!conditions::is_true(&conditions, "Ready"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readiness {
    observed: usize,
    problems: Vec<Problem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Problem {
    reason: String,
    message: String,
    /// Whether it takes more than waiting to solve it.
    failed: bool,
}

impl Readiness {
    /// Observes an owned object, such as the result of [`apply`](super::Objects::apply).
    ///
    /// | kind | ready when |
    /// |---|---|
    /// | Deployment | the latest generation is observed, and all replicas are updated and available |
    /// | StatefulSet | likewise; replicas below the partition of a rolling update need not be updated |
    /// | DaemonSet | the latest generation is observed, and the pods of all nodes are updated and available |
    /// | Job | it is complete |
    /// | others | they exist and are not being deleted |
    pub fn observe<K: Resource<DynamicType = ()> + 'static>(&mut self, object: &K) {
        self.observed += 1;
        let problem = if object.meta().deletion_timestamp.is_some() {
            Err(waiting("is being deleted"))
        } else {
            check(object)
        };
        if let Err(problem) = problem {
            let message = format!("{} {}", title(object), problem.message);
            self.problems.push(Problem { message, ..problem });
        }
    }

    /// Adds a problem that the owned objects do not show. `reason` is machine-readable, in `CamelCase`.
    pub fn not_ready(&mut self, reason: impl Into<String>, message: impl Into<String>) {
        self.problems.push(Problem {
            reason: reason.into(),
            message: message.into(),
            failed: false,
        });
    }

    /// Returns whether all observed objects are ready.
    pub fn is_ready(&self) -> bool {
        self.problems.is_empty()
    }

    /// Sets the condition `Ready`, and removes `Stalled`, which [`report_errors`](crate::controller::Controller::report_errors) sets.
    ///
    /// `generation` is the `metadata.generation` of the reconciled object.
    pub fn set_on(&self, conditions: &mut Vec<Condition>, generation: Option<i64>) {
        conditions::remove(conditions, STALLED);
        let failure = self.problems.iter().find(|problem| problem.failed);
        let ready = match failure.or(self.problems.first()) {
            Some(first) => {
                let messages = self.problems.iter().map(|problem| problem.message.as_str());
                let message = messages.collect::<Vec<_>>().join("; ");
                conditions::ready(false, &first.reason, message, generation)
            }
            None if self.observed == 0 => {
                conditions::ready(true, "Reconciled", "reconciled successfully", generation)
            }
            None => {
                let message = "all owned objects are ready";
                conditions::ready(true, "Reconciled", message, generation)
            }
        };
        conditions::set(conditions, ready);
    }
}

fn waiting(message: impl Into<String>) -> Problem {
    Problem {
        reason: "Progressing".to_owned(),
        message: message.into(),
        failed: false,
    }
}

fn failed(reason: Option<&str>, message: impl Into<String>) -> Problem {
    Problem {
        reason: reason.unwrap_or("Failed").to_owned(),
        message: message.into(),
        failed: true,
    }
}

fn check(object: &dyn Any) -> Result<(), Problem> {
    if let Some(deployment) = object.downcast_ref() {
        return check_deployment(deployment);
    }
    if let Some(stateful_set) = object.downcast_ref() {
        return check_stateful_set(stateful_set);
    }
    if let Some(daemon_set) = object.downcast_ref() {
        return check_daemon_set(daemon_set);
    }
    if let Some(job) = object.downcast_ref() {
        return check_job(job);
    }
    Ok(())
}

fn check_deployment(deployment: &Deployment) -> Result<(), Problem> {
    let status = deployment.status.clone().unwrap_or_default();
    check_generation(deployment.metadata.generation, status.observed_generation)?;
    let progress = status.conditions.iter().flatten();
    let mut progress = progress.filter(|condition| condition.type_ == "Progressing");
    let exceeded =
        progress.find(|condition| condition.reason.as_deref() == Some("ProgressDeadlineExceeded"));
    if let Some(condition) = exceeded {
        let message = "exceeded its progress deadline";
        return Err(failed(condition.reason.as_deref(), message));
    }
    let spec = deployment.spec.as_ref();
    let desired = spec.and_then(|spec| spec.replicas).unwrap_or(1);
    let updated = status.updated_replicas.unwrap_or(0);
    check_replicas("updated", updated, desired)?;
    let old = status.replicas.unwrap_or(0) - updated;
    if old > 0 {
        return Err(waiting(format!("has {old} old replicas to terminate")));
    }
    check_replicas("available", status.available_replicas.unwrap_or(0), desired)
}

fn check_stateful_set(stateful_set: &StatefulSet) -> Result<(), Problem> {
    let status = stateful_set.status.clone().unwrap_or_default();
    check_generation(stateful_set.metadata.generation, status.observed_generation)?;
    let spec = stateful_set.spec.as_ref();
    let desired = spec.and_then(|spec| spec.replicas).unwrap_or(1);
    let strategy = spec.and_then(|spec| spec.update_strategy.as_ref());
    let is_on_delete = strategy.is_some_and(|it| it.type_.as_deref() == Some("OnDelete"));
    let rolling_update = strategy.and_then(|it| it.rolling_update.as_ref());
    let partition = rolling_update.and_then(|it| it.partition).unwrap_or(0);
    if !is_on_delete {
        let updated = status.updated_replicas.unwrap_or(0);
        check_replicas("updated", updated, (desired - partition).max(0))?;
    }
    check_replicas("available", status.available_replicas.unwrap_or(0), desired)
}

fn check_daemon_set(daemon_set: &DaemonSet) -> Result<(), Problem> {
    let status = daemon_set.status.clone().unwrap_or_default();
    check_generation(daemon_set.metadata.generation, status.observed_generation)?;
    let desired = status.desired_number_scheduled;
    let strategy = daemon_set.spec.as_ref();
    let strategy = strategy.and_then(|spec| spec.update_strategy.as_ref());
    if strategy.is_none_or(|it| it.type_.as_deref() != Some("OnDelete")) {
        let updated = status.updated_number_scheduled.unwrap_or(0);
        check_replicas("updated", updated, desired)?;
    }
    check_replicas("available", status.number_available.unwrap_or(0), desired)
}

fn check_job(job: &Job) -> Result<(), Problem> {
    let conditions = job.status.as_ref();
    let conditions = conditions.and_then(|status| status.conditions.as_deref());
    let mut is_complete = false;
    for condition in conditions.unwrap_or_default() {
        match (condition.type_.as_str(), condition.status.as_str()) {
            ("Failed", "True") => {
                let message = condition.message.as_deref().unwrap_or_default();
                let message = format!("failed: {message}");
                let message = message.trim_end_matches([':', ' ']);
                return Err(failed(condition.reason.as_deref(), message));
            }
            ("Complete", "True") => is_complete = true,
            _ => {}
        }
    }
    if is_complete {
        Ok(())
    } else {
        Err(waiting("is not complete"))
    }
}

/// Returns whether a Job is complete or failed.
pub fn job_is_finished(job: &Job) -> bool {
    let conditions = job.status.as_ref();
    let conditions = conditions.and_then(|status| status.conditions.as_deref());
    let mut conditions = conditions.unwrap_or_default().iter();
    conditions.any(|it| matches!(it.type_.as_str(), "Complete" | "Failed") && it.status == "True")
}

fn check_generation(generation: Option<i64>, observed: Option<i64>) -> Result<(), Problem> {
    if observed.unwrap_or(0) < generation.unwrap_or(0) {
        return Err(waiting("has not been observed by its controller"));
    }
    Ok(())
}

fn check_replicas(state: &str, actual: i32, desired: i32) -> Result<(), Problem> {
    if actual < desired {
        let message = format!("has {actual} of {desired} replicas {state}");
        return Err(waiting(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::*;

    fn condition<K>(spec: &Value, status: &Value) -> Condition
    where
        K: Resource<DynamicType = ()> + DeserializeOwned + 'static,
    {
        let object = json!({
            "metadata": {"name": "a", "namespace": "b", "generation": 2},
            "spec": spec,
            "status": status,
        });
        let object: K = serde_json::from_value(object).unwrap();
        let mut readiness = Readiness::default();
        readiness.observe(&object);
        let mut conditions = Vec::new();
        readiness.set_on(&mut conditions, Some(7));
        conditions.remove(0)
    }

    /// Asserts status, reason and the message without the name of the object.
    fn assert_ready<K>(spec: &Value, status: &Value, expected: Result<(), (&str, &str)>)
    where
        K: Resource<DynamicType = ()> + DeserializeOwned + 'static,
    {
        let condition = condition::<K>(spec, status);
        let found = match condition.status.as_str() {
            "True" => Ok(()),
            _ => {
                let (_, message) = condition.message.split_once(".b ").unwrap();
                Err((condition.reason.as_str(), message))
            }
        };
        assert_eq!(found, expected, "{status}");
    }

    fn workload(replicas: i32) -> Value {
        json!({"replicas": replicas, "serviceName": "", "selector": {}, "template": {}})
    }

    #[test]
    fn a_deployment_is_ready_when_all_replicas_are_updated_and_available() {
        let check = |status: Value, expected| {
            assert_ready::<Deployment>(&workload(3), &status, expected);
        };
        let progressing = |message| Err(("Progressing", message));
        check(
            Value::Null,
            progressing("has not been observed by its controller"),
        );
        check(
            json!({"observedGeneration": 1, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 3}),
            progressing("has not been observed by its controller"),
        );
        check(
            json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 1, "availableReplicas": 3}),
            progressing("has 1 of 3 replicas updated"),
        );
        check(
            json!({"observedGeneration": 2, "replicas": 4, "updatedReplicas": 3, "availableReplicas": 4}),
            progressing("has 1 old replicas to terminate"),
        );
        check(
            json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 2}),
            progressing("has 2 of 3 replicas available"),
        );
        check(
            json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 3}),
            Ok(()),
        );
        let exceeded =
            json!({"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded"});
        check(
            json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "conditions": [exceeded]}),
            Err(("ProgressDeadlineExceeded", "exceeded its progress deadline")),
        );
        let scaled_to_zero = json!({"observedGeneration": 2});
        assert_ready::<Deployment>(&workload(0), &scaled_to_zero, Ok(()));
    }

    #[test]
    fn a_stateful_set_respects_its_update_strategy() {
        let status = json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 1, "availableReplicas": 3});
        let mut spec = workload(3);
        let outdated = Err(("Progressing", "has 1 of 3 replicas updated"));
        assert_ready::<StatefulSet>(&spec, &status, outdated);
        spec["updateStrategy"] =
            json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 2}});
        assert_ready::<StatefulSet>(&spec, &status, Ok(()));
        spec["updateStrategy"] = json!({"type": "OnDelete"});
        assert_ready::<StatefulSet>(&spec, &status, Ok(()));
        let status = json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 2});
        let unavailable = Err(("Progressing", "has 2 of 3 replicas available"));
        assert_ready::<StatefulSet>(&spec, &status, unavailable);
    }

    #[test]
    fn a_daemon_set_is_ready_when_all_nodes_are() {
        let check = |updated: i32, available: i32, expected| {
            let status = json!({
                "observedGeneration": 2, "desiredNumberScheduled": 2, "currentNumberScheduled": 2, "numberMisscheduled": 0,
                "numberReady": available, "updatedNumberScheduled": updated, "numberAvailable": available,
            });
            assert_ready::<DaemonSet>(&workload(0), &status, expected);
        };
        check(1, 2, Err(("Progressing", "has 1 of 2 replicas updated")));
        check(2, 1, Err(("Progressing", "has 1 of 2 replicas available")));
        check(2, 2, Ok(()));
    }

    #[test]
    fn a_job_is_ready_when_it_is_complete() {
        let check = |conditions: Value, expected| {
            let status = json!({ "conditions": conditions });
            assert_ready::<Job>(&json!({"template": {}}), &status, expected);
        };
        check(json!([]), Err(("Progressing", "is not complete")));
        check(json!([{"type": "Complete", "status": "True"}]), Ok(()));
        let exceeded = json!({"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded", "message": "too many retries"});
        let expected = Err(("BackoffLimitExceeded", "failed: too many retries"));
        check(json!([exceeded]), expected);
        check(
            json!([{"type": "Failed", "status": "True"}]),
            Err(("Failed", "failed")),
        );
    }

    #[test]
    fn other_objects_are_ready_unless_they_are_being_deleted() {
        let mut config_map = ConfigMap::default();
        config_map.metadata.name = Some("a".to_owned());
        let mut readiness = Readiness::default();
        readiness.observe(&config_map);
        assert!(readiness.is_ready());
        config_map.metadata.deletion_timestamp =
            serde_json::from_value(json!("2026-01-01T00:00:00Z")).unwrap();
        readiness.observe(&config_map);
        assert!(!readiness.is_ready());
    }

    #[test]
    fn a_failure_takes_precedence_and_all_messages_are_kept() {
        let mut conditions = vec![conditions::condition(STALLED, true, "Old", "", None)];
        let mut readiness = Readiness::default();
        readiness.not_ready("Waiting", "no address yet");
        readiness.problems.push(failed(None, "broken"));
        readiness.set_on(&mut conditions, Some(7));
        assert_eq!(conditions.len(), 1, "Stalled is removed");
        let [ready] = &conditions[..] else { panic!() };
        assert_eq!(
            (ready.reason.as_str(), ready.message.as_str()),
            ("Failed", "no address yet; broken")
        );
        assert_eq!(ready.observed_generation, Some(7));
    }

    #[test]
    fn without_owned_objects_it_reports_the_reconcile() {
        let mut conditions = Vec::new();
        Readiness::default().set_on(&mut conditions, Some(7));
        assert!(conditions::is_true(&conditions, "Ready"));
        assert_eq!(conditions[0].message, "reconciled successfully");
    }
}
