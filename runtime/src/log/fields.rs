//! Formats span fields as JSON.
//!
//! Every reconcile creates a span, but few log a line in it. The formatter of `tracing-subscriber` builds a sorted map of JSON values for each
//! span; this one writes the fields directly. The output is the same, except that the prefix of raw identifiers (`r#type`) remains.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use tracing::span::Record;
use tracing_serde::SerdeMapVisitor;
use tracing_subscriber::{
    field::RecordFields,
    fmt::{FormatFields, FormattedFields, format::Writer},
};

/// See the [module](self).
#[derive(Debug, Clone, Copy)]
pub(super) struct JsonFields;

impl<'a> FormatFields<'a> for JsonFields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'a>, fields: R) -> fmt::Result {
        let text = serde_json::to_string(&SpanFields(fields)).map_err(|_| fmt::Error)?;
        writer.write_str(&text)
    }

    /// Merges fields that are recorded later.
    fn add_fields(
        &self,
        current: &'a mut FormattedFields<Self>,
        fields: &Record<'_>,
    ) -> fmt::Result {
        current.fields = merge(&current.fields, fields).map_err(|_| fmt::Error)?;
        Ok(())
    }
}

fn merge(current: &str, added: &Record<'_>) -> serde_json::Result<String> {
    let mut fields: Map<String, Value> = match current {
        "" => Map::new(),
        current => serde_json::from_str(current)?,
    };
    let added = serde_json::to_string(&SpanFields(added))?;
    fields.extend(serde_json::from_str::<Map<String, Value>>(&added)?);
    serde_json::to_string(&fields)
}

/// Serializes fields as a map.
struct SpanFields<R>(R);

impl<R: RecordFields> Serialize for SpanFields<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut visitor = SerdeMapVisitor::new(serializer.serialize_map(None)?);
        self.0.record(&mut visitor);
        visitor.finish()
    }
}
