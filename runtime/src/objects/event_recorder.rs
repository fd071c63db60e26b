//! Events about objects, which `kubectl describe` shows.
//!
//! An event never fails a reconcile and never makes it wait. It goes into one of a few queues, each emptied by a task in order; what
//! fails is logged and gone. A full queue and an object with too many events lose events, as in client-go: they are for people to read,
//! and no record. Equal events about an object become a series, which is one event that counts.
//!
//! kube's `Recorder` does the last, too, but one event at a time: it keeps each for minutes, as a whole, and looks through all of them
//! for each that it sends. And it takes events for equal that differ in their note, of which then only the first is told.

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
    budget::Budget,
    digest::digest,
    event::{Event, Reporting, Series},
    owner::title,
};
use crate::{
    controller::chain,
    retry_after::{is_overloaded, retry_after},
};

/// Events that are sent at the same time.
const SENDERS: usize = 8;
/// Events that wait to be sent, for each of them.
const QUEUE: usize = 1000;
/// For one event, with all attempts.
const PATIENCE: Duration = Duration::from_secs(10);
/// Between attempts, if an overloaded API server names no delay.
const PAUSE: Duration = Duration::from_secs(1);

/// Publishes events in the name of a controller. Clones share the queues.
#[derive(Clone)]
pub struct EventRecorder {
    /// All events about an object go through the same one, so that they stay in order.
    queues: Arc<[Sender<Event>]>,
    budget: Arc<Mutex<Budget>>,
}

impl EventRecorder {
    /// `controller` names the controller in its events; the instance is the host's name, which is the pod's.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime: the tasks that send are started here, and end when the last clone is dropped.
    pub fn new(client: Client, controller: &str) -> Self {
        let reporting = Arc::new(Reporting {
            client,
            reporter: Reporter::from(controller),
        });
        let start = |_| {
            let (queue, events) = mpsc::channel(QUEUE);
            let series = Series::new(Arc::clone(&reporting));
            tokio::spawn(send_all(series, events));
            queue
        };
        Self {
            queues: (0..SENDERS).map(start).collect(),
            budget: Arc::default(),
        }
    }

    /// Publishes an event about an object. It returns at once.
    ///
    /// `reason` says why, and `action` what was done or tried, both in a word of `CamelCase`. `note` is for people. What is too
    /// long is cut. Needs the verbs `create` and `patch` on `events` of `events.k8s.io`, in the namespace of the object, or in
    /// `default` if it has none.
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
        let about = match &object.meta().uid {
            Some(uid) => digest(uid),
            None => digest(&title(object)),
        };
        // Nothing panics while it is held, and a map is whole at any time.
        let mut budget = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        let may = budget.spend(about);
        drop(budget);
        if !may {
            tracing::debug!(
                object = title(object),
                reason,
                "an event is left out: the object has too many"
            );
            return;
        }
        let event = Event::new(object, type_, reason, action, note.into());
        let [number, ..] = about.to_le_bytes();
        let queue = &self.queues[usize::from(number) % SENDERS];
        if let Err(error) = queue.try_send(event) {
            let object = error.into_inner().title;
            tracing::warn!(object, reason, "an event is left out: too many are waiting");
        }
    }
}

impl fmt::Debug for EventRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventRecorder").finish_non_exhaustive()
    }
}

/// Sends an event, again and again while the API server is overloaded.
async fn send(series: &mut Series, event: &Event) -> kube::Result<()> {
    loop {
        match series.send(event).await {
            Err(kube::Error::Api(status)) if is_overloaded(&status) => {
                sleep(retry_after(&status).unwrap_or(PAUSE)).await;
            }
            sent => return sent,
        }
    }
}

async fn send_all(mut series: Series, mut events: Receiver<Event>) {
    while let Some(event) = events.recv().await {
        let (object, reason) = (&event.title, &event.reason);
        match timeout(PATIENCE, send(&mut series, &event)).await {
            Ok(Ok(())) => {}
            Ok(Err(kube::Error::Api(status))) if status.is_forbidden() => {
                let needed = "the role needs create and patch on events of events.k8s.io";
                tracing::warn!(
                    object,
                    reason,
                    "an event is not allowed, {needed}: {}",
                    status.message
                );
            }
            Ok(Err(error)) => {
                let error = chain(&error);
                tracing::warn!(object, reason, error, "an event is lost");
            }
            Err(_) => tracing::warn!(
                object,
                reason,
                "an event is lost: the API server does not answer"
            ),
        }
    }
}
