//! One event: what it says, and how it is sent.

use std::{sync::Arc, time::Duration};

use k8s_openapi::{
    api::{
        core::v1::ObjectReference,
        events::v1::{Event as Body, EventSeries},
    },
    apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta},
    jiff::Timestamp,
};
use kube::{
    Client, Resource,
    api::{Patch, PatchParams, PostParams},
    core::Request,
    runtime::events::{EventType, Reporter},
};
use serde_json::json;
use tokio::time::Instant;

use super::{digest::digest, owner::title};
use crate::lru_map::LruMap;

/// Where events about objects are that are in no namespace.
const NAMESPACE: &str = "default";
/// Bytes that the API server takes in a note.
const LONGEST_NOTE: usize = 1024;
/// Bytes that the API server takes in a reason and in an action.
const LONGEST_WORD: usize = 128;
/// Bytes of a name, without the dot and the number that follow it.
const LONGEST_NAME: usize = 253 - 1 - 16;
/// After this long an event that is equal to another begins anew, as in client-go.
const SERIES_ENDS: Duration = Duration::from_secs(6 * 60);
/// Series that are remembered.
const SERIES: usize = 512;

/// An event about an object.
#[derive(Debug)]
pub(super) struct Event {
    /// What logs call its object.
    pub(super) title: String,
    about: ObjectReference,
    type_: &'static str,
    pub(super) reason: String,
    action: String,
    note: String,
}

impl Event {
    /// What is too long is cut.
    pub(super) fn new<K>(
        object: &K,
        type_: EventType,
        reason: &str,
        action: &str,
        note: String,
    ) -> Self
    where
        K: Resource<DynamicType = ()>,
    {
        Self {
            title: title(object),
            about: object.object_ref(&()),
            type_: match type_ {
                EventType::Normal => "Normal",
                EventType::Warning => "Warning",
            },
            reason: cut(reason.to_owned(), LONGEST_WORD),
            action: cut(action.to_owned(), LONGEST_WORD),
            note: cut(note, LONGEST_NOTE),
        }
    }

    fn namespace(&self) -> &str {
        self.about.namespace.as_deref().unwrap_or(NAMESPACE)
    }

    /// Equal for events that make a series.
    fn key(&self) -> u64 {
        let Self {
            title,
            about,
            type_,
            reason,
            action,
            note,
        } = self;
        digest(&(title, &about.uid, type_, reason, action, note))
    }

    /// The name that it has from this time on.
    fn name(&self, time: Timestamp) -> String {
        let is_name = |name: &&String| {
            let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
            name.len() <= LONGEST_NAME && name.bytes().all(plain)
        };
        // Some kinds have names that an event cannot have, as `system:node`.
        let name = self.about.name.as_ref().filter(is_name);
        let name = name.or(self.about.uid.as_ref());
        let name = name.map_or("event", String::as_str);
        format!("{name}.{:x}", time.as_nanosecond())
    }

    fn body(&self, reporter: &Reporter, time: Timestamp) -> Body {
        let instance = reporter.instance.as_ref().unwrap_or(&reporter.controller);
        Body {
            action: Some(self.action.clone()),
            event_time: Some(MicroTime(time)),
            metadata: ObjectMeta {
                name: Some(self.name(time)),
                namespace: Some(self.namespace().to_owned()),
                ..ObjectMeta::default()
            },
            note: Some(self.note.clone()),
            reason: Some(self.reason.clone()),
            regarding: Some(self.about.clone()),
            reporting_controller: Some(reporter.controller.clone()),
            reporting_instance: Some(instance.clone()),
            type_: Some(self.type_.to_owned()),
            ..Body::default()
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

/// Sends events, and counts those that are equal.
pub(super) struct Series {
    reporting: Arc<Reporting>,
    sent: LruMap<u64, Sent>,
}

/// The event that a series is.
#[derive(Debug, Clone, Copy)]
struct Sent {
    /// Its name has it.
    first: Timestamp,
    last: Instant,
    count: i32,
}

impl Series {
    pub(super) fn new(reporting: Arc<Reporting>) -> Self {
        Self {
            reporting,
            sent: LruMap::new(SERIES),
        }
    }

    /// Sends an event: a new one, or one more of a series.
    pub(super) async fn send(&mut self, event: &Event) -> kube::Result<()> {
        let key = event.key();
        let going_on = self.sent.get(&key).copied();
        let going_on = going_on.filter(|sent| sent.last.elapsed() < SERIES_ENDS);
        let sent = match going_on {
            Some(sent) => match self.reporting.count(event, sent).await {
                // Events are deleted after an hour, or by somebody.
                Err(kube::Error::Api(status)) if status.is_not_found() => {
                    self.reporting.create(event).await?
                }
                counted => counted?,
            },
            None => self.reporting.create(event).await?,
        };
        self.sent.insert(key, sent);
        Ok(())
    }
}

/// Who reports, and to whom.
pub(super) struct Reporting {
    pub(super) client: Client,
    pub(super) reporter: Reporter,
}

impl Reporting {
    async fn create(&self, event: &Event) -> kube::Result<Sent> {
        let first = Timestamp::now();
        let body = serde_json::to_vec(&event.body(&self.reporter, first));
        let body = body.map_err(kube::Error::SerdeError)?;
        let request = Request::new(Body::url_path(&(), Some(event.namespace())));
        let request = request.create(&PostParams::default(), body);
        self.request(request).await?;
        Ok(Sent {
            first,
            last: Instant::now(),
            count: 1,
        })
    }

    async fn count(&self, event: &Event, sent: Sent) -> kube::Result<Sent> {
        let count = sent.count.saturating_add(1);
        let series = EventSeries {
            count,
            last_observed_time: MicroTime(Timestamp::now()),
        };
        let patch = json!({ "series": series });
        let request = Request::new(Body::url_path(&(), Some(event.namespace())));
        let request = request.patch(
            &event.name(sent.first),
            &PatchParams::default(),
            &Patch::Merge(&patch),
        );
        self.request(request).await?;
        Ok(Sent {
            last: Instant::now(),
            count,
            ..sent
        })
    }

    /// What the API server answers is of no interest, unless it refuses.
    async fn request(
        &self,
        request: Result<http::Request<Vec<u8>>, kube::core::request::Error>,
    ) -> kube::Result<()> {
        let request = request.map_err(kube::Error::BuildRequest)?;
        self.client.request_text(request).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;

    use super::*;

    fn about(name: &str) -> Event {
        let mut object = ConfigMap::default();
        object.metadata.name = Some(name.to_owned());
        object.metadata.uid = Some("u-1".to_owned());
        Event::new(&object, EventType::Normal, "Made", "Make", String::new())
    }

    #[test]
    fn an_event_has_a_name_that_the_api_server_takes() {
        let time = Timestamp::UNIX_EPOCH + Duration::from_nanos(0x12ab);
        let long = "a".repeat(LONGEST_NAME);
        for name in ["shop", "my.shop-1", &long] {
            assert_eq!(about(name).name(time), format!("{name}.12ab"));
        }
        let longer = "a".repeat(LONGEST_NAME + 1);
        for name in ["system:node", "Upper", &longer] {
            assert_eq!(about(name).name(time), "u-1.12ab", "{name}");
        }
        let latest = about(&long).name(Timestamp::from_second(16_000_000_000).unwrap());
        assert!(latest.len() <= 253, "{latest}");
    }
}
