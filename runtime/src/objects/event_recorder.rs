//! Records events about objects, as shown by `kubectl describe`.
//!
//! Recording an event never fails or delays a reconcile. Events are queued and sent by a few tasks, in order per object; failures are
//! logged. Like in client-go, events are best effort: they are dropped if the queue is full or if an object has too many. Equal events
//! about an object are combined to a series.
//!
//! kube's `Recorder` waits for the API server, sends one event at a time, scans all recent events for each new one, and treats events that
//! differ in their note as equal, so that only the first note is recorded.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use kube::{
    Client, Resource,
    runtime::events::{EventType, Reporter},
};
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::{sleep, timeout},
};

use super::{
    digest::digest,
    event::{Event, EventApi, EventSender},
    event_limiter::EventLimiter,
    owner::title,
};
use crate::{
    controller::chain,
    retry_after::{is_overloaded, retry_after},
};

/// Number of tasks that send events.
const SENDERS: usize = 8;
/// Queued events per task.
const QUEUE_LENGTH: usize = 1000;
/// Timeout of an event, including retries.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Delay of retries if an overloaded API server does not specify one.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Publishes Kubernetes events. Clones share the queues.
///
/// Corresponds to `EventRecorder` in client-go. [`Manager::event_recorder`](crate::Manager::event_recorder) creates one.
#[derive(Clone)]
pub struct EventRecorder {
    /// Events about one object use the same queue, so that they are sent in order.
    queues: Arc<[Sender<Event>]>,
    limiter: Arc<Mutex<EventLimiter>>,
}

impl EventRecorder {
    /// Creates a recorder and spawns the tasks that send events. They end when the last clone is dropped.
    ///
    /// `controller` is the `reportingController` of the events. The `reportingInstance` is the host name, which is the name of the pod.
    ///
    /// # Panics
    ///
    /// Panics outside of a tokio runtime.
    pub fn new(client: Client, controller: &str) -> Self {
        let api = Arc::new(EventApi {
            client,
            reporter: Reporter::from(controller),
        });
        let start = |_| {
            let (queue, events) = mpsc::channel(QUEUE_LENGTH);
            let sender = EventSender::new(Arc::clone(&api));
            tokio::spawn(send_all(sender, events));
            queue
        };
        Self {
            queues: (0..SENDERS).map(start).collect(),
            limiter: Arc::default(),
        }
    }

    /// Publishes an event about an object. Returns immediately; errors are logged.
    ///
    /// `reason` is why the action was taken and `action` is what was done or attempted, both machine-readable in `CamelCase`. `note` is
    /// human-readable. Values that are too long are truncated. Each object is limited to a burst of 25 events and one more every five
    /// minutes, like in client-go.
    ///
    /// Requires the verbs `create` and `patch` on `events` in the group `events.k8s.io`, in the namespace of the object, or in `default`
    /// for cluster-scoped objects.
    ///
    /// ```no_run
    /// use kb::k8s_openapi::api::core::v1::ConfigMap;
    /// use kb::objects::{EventRecorder, EventType};
    ///
    /// # fn wrapper(recorder: &EventRecorder, config_map: &ConfigMap) {
    /// recorder.publish(config_map, EventType::Warning, "InvalidData", "Validate", "key `port` is not a number");
    /// # }
    /// ```
    pub fn publish<K>(
        &self,
        object: &K,
        type_: EventType,
        reason: &str,
        action: &str,
        note: impl Into<String>,
    ) where
        K: Resource<DynamicType = ()>,
    {
        let object_digest = match &object.meta().uid {
            Some(uid) => digest(uid),
            None => digest(&title(object)),
        };
        // Nothing panics while the lock is held.
        let mut limiter = self.limiter.lock().unwrap_or_else(PoisonError::into_inner);
        let is_allowed = limiter.try_acquire(object_digest);
        drop(limiter);
        if !is_allowed {
            tracing::debug!(
                object = title(object),
                reason,
                "too many events about the object, dropping event"
            );
            return;
        }
        let event = Event::new(object, type_, reason, action, note.into());
        let [number, ..] = object_digest.to_le_bytes();
        let queue = &self.queues[usize::from(number) % SENDERS];
        if let Err(error) = queue.try_send(event) {
            let object = error.into_inner().title;
            tracing::warn!(object, reason, "event queue is full, dropping event");
        }
    }
}

impl fmt::Debug for EventRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventRecorder").finish_non_exhaustive()
    }
}

/// Sends an event, and retries while the API server is overloaded.
async fn send(sender: &mut EventSender, event: &Event) -> kube::Result<()> {
    loop {
        match sender.send(event).await {
            Err(kube::Error::Api(status)) if is_overloaded(&status) => {
                sleep(retry_after(&status).unwrap_or(RETRY_DELAY)).await;
            }
            result => return result,
        }
    }
}

async fn send_all(mut sender: EventSender, mut events: Receiver<Event>) {
    while let Some(event) = events.recv().await {
        let (object, reason) = (&event.title, &event.reason);
        match timeout(TIMEOUT, send(&mut sender, &event)).await {
            Ok(Ok(())) => {}
            Ok(Err(kube::Error::Api(status))) if status.is_forbidden() => tracing::warn!(
                object,
                reason,
                error = status.message,
                "failed to send event: the role requires create and patch on events in group events.k8s.io"
            ),
            Ok(Err(error)) => {
                let error = chain(&error);
                tracing::warn!(object, reason, error, "failed to send event");
            }
            Err(_) => tracing::warn!(object, reason, error = "timeout", "failed to send event"),
        }
    }
}
