//! Events about objects, which `kubectl describe` shows.
//!
//! kube's `Recorder` sends them, and makes a series of equal ones. Around it: an event never fails a reconcile and never makes it
//! wait. It goes into a queue that one task empties, in order; what fails is logged and gone. A full queue and an object with too
//! many events lose events, as in client-go: they are for people to read, and no record.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use k8s_openapi::api::core::v1::ObjectReference;
use kube::{
    Client, Resource,
    runtime::events::{Event, EventType, Recorder, Reporter},
};
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::timeout,
};

use super::{budget::Budget, owner::title};

/// Events that wait to be sent. As in client-go.
const QUEUE: usize = 1000;
/// For one event. The client itself would try for minutes.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes that the API server takes in a note.
const LONGEST_NOTE: usize = 1024;
/// Bytes that the API server takes in a reason and in an action.
const LONGEST_WORD: usize = 128;

struct Message {
    event: Event,
    about: ObjectReference,
    title: String,
}

/// Publishes events in the name of a controller. Clones share the queue.
#[derive(Clone)]
pub struct Events {
    queue: Sender<Message>,
    budget: Arc<Mutex<Budget>>,
}

impl Events {
    /// `controller` names the controller in its events; the instance is the host's name, which is the pod's.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime: the task that sends is started here, and ends when the last clone is dropped.
    pub fn new(client: Client, controller: &str) -> Self {
        let (queue, messages) = mpsc::channel(QUEUE);
        let recorder = Recorder::new(client, Reporter::from(controller));
        tokio::spawn(send_all(recorder, messages));
        Self {
            queue,
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
        let title = title(object);
        let key = object.meta().uid.as_deref().unwrap_or(&title);
        // Nothing panics while it is held, and a map is whole at any time.
        if !self
            .budget
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .spend(key)
        {
            tracing::debug!(
                object = title,
                reason,
                "an event is left out: the object has too many"
            );
            return;
        }
        let message = Message {
            event: Event {
                type_,
                reason: cut(reason.to_owned(), LONGEST_WORD),
                action: cut(action.to_owned(), LONGEST_WORD),
                note: Some(cut(note.into(), LONGEST_NOTE)),
                secondary: None,
            },
            about: object.object_ref(&()),
            title,
        };
        if let Err(error) = self.queue.try_send(message) {
            let object = error.into_inner().title;
            tracing::warn!(object, reason, "an event is left out: too many are waiting");
        }
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").finish_non_exhaustive()
    }
}

async fn send_all(recorder: Recorder, mut messages: Receiver<Message>) {
    while let Some(Message {
        event,
        about,
        title,
    }) = messages.recv().await
    {
        let reason = &event.reason;
        match timeout(PATIENCE, recorder.publish(&event, &about)).await {
            Ok(Ok(())) => {}
            Ok(Err(kube::Error::Api(status))) if status.is_forbidden() => {
                let needed = "the role needs create and patch on events of events.k8s.io";
                tracing::warn!(
                    object = title,
                    reason,
                    "an event is not allowed, {needed}: {}",
                    status.message
                );
            }
            Ok(Err(error)) => tracing::warn!(object = title, reason, %error, "an event is lost"),
            Err(_) => tracing::warn!(
                object = title,
                reason,
                "an event is lost: the API server does not answer"
            ),
        }
    }
}

/// At the end of a character.
fn cut(mut text: String, longest: usize) -> String {
    if text.len() > longest {
        let starts = text.char_indices().map(|(start, _)| start);
        let end = starts
            .take_while(|start| *start <= longest)
            .last()
            .unwrap_or(0);
        text.truncate(end);
    }
    text
}
