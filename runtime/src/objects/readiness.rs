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
pub(super) struct Problem {
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
            self.push(Problem { message, ..problem });
        }
    }

    /// Adds a problem that the owned objects do not show. `reason` is machine-readable, in `CamelCase`.
    pub fn not_ready(&mut self, reason: impl Into<String>, message: impl Into<String>) {
        self.push(Problem {
            reason: reason.into(),
            message: message.into(),
            failed: false,
        });
    }

    pub(super) fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
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

pub(super) fn failed(reason: Option<&str>, message: impl Into<String>) -> Problem {
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
