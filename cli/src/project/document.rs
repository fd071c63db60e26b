//! A PROJECT text as a tree of YAML nodes with their places, and its comments.
//!
//! The parser is serde-saphyr's own, used below serde: only its events tell the style of a node, where it ends and
//! where comments are, which an edit must know. Aliases are not followed: nothing in a PROJECT needs them.

use std::collections::BTreeMap;

use serde_saphyr::granit_parser::{
    Event, Marker, Options, Parser, ScalarStyle, ScanError, Span, StructureStyle, options,
};

use super::error::Problem;

/// A place in the text: line and column count from 1, the offset is in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) offset: usize,
}

/// A YAML value and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) start: Place,
    /// The offset behind it.
    pub(crate) end: usize,
    /// Whether it has an anchor or a tag, which an edit would have to move.
    pub(crate) marked: bool,
    pub(crate) content: Content,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    Scalar { text: String, style: ScalarStyle },
    List { items: Vec<Node>, flow: bool },
    Map { entries: Vec<Entry>, flow: bool },
    Alias,
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: Node,
    pub(crate) value: Node,
}

/// A parsed text: at most one YAML document.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) root: Option<Node>,
    /// The first line behind the document's content.
    pub(crate) end_line: usize,
    /// Line to column, both from 1; a line has at most one comment. Empty, unless they were asked for.
    pub(crate) comments: BTreeMap<usize, usize>,
}

impl Node {
    /// The text of a scalar; nothing for other nodes and for null.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        let Content::Scalar { text, style } = &self.content else {
            return false;
        };
        *style == ScalarStyle::Plain && matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL")
    }

    /// Whether it is null, `[]` or `{}`.
    pub(crate) fn is_vacant(&self) -> bool {
        match &self.content {
            Content::List { items, .. } => items.is_empty(),
            Content::Map { entries, .. } => entries.is_empty(),
            Content::Scalar { .. } => self.is_null(),
            Content::Alias => false,
        }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.content {
            Content::Map { entries, .. } => entries,
            _ => &[],
        }
    }

    pub(crate) fn items(&self) -> &[Node] {
        match &self.content {
            Content::List { items, .. } => items,
            _ => &[],
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        let entry = self.entries().iter().find(|entry| entry.name() == key);
        entry.map(|entry| &entry.value)
    }
}

impl Entry {
    /// The key; a key that is not a scalar has none of the names kb-rs knows.
    pub(crate) fn name(&self) -> &str {
        self.key.text().unwrap_or_default()
    }
}

impl Document {
    /// The nodes of a text, without its comments: all that it takes to read the record, in less time.
    pub(crate) fn parse(text: &str) -> Result<Self, Problem> {
        Self::build(text, options! { emit_comments: false })
    }

    /// The nodes and the comments of a text, as an edit needs them.
    pub(crate) fn parse_with_comments(text: &str) -> Result<Self, Problem> {
        Self::build(text, options! { max_buffered_comment_events: usize::MAX })
    }

    fn build(text: &str, options: Options) -> Result<Self, Problem> {
        let mut builder = Builder::default();
        for event in Parser::new_from_str_with_options(text, options) {
            let (event, span) = event.map_err(|error| malformed(&error))?;
            builder.take(event, span)?;
        }
        Ok(builder.finish())
    }
}

fn malformed(error: &ScanError) -> Problem {
    let place = place(*error.marker());
    Problem::new(format!("not valid YAML: {}", error.info()))
        .at(place.line, place.column)
        .help("repair the line, or take the file from version control")
}

fn place(marker: Marker) -> Place {
    Place {
        line: marker.line(),
        column: marker.col() + 1,
        offset: marker.byte_offset().unwrap_or_default(),
    }
}

/// Puts nodes together from the events of the parser.
#[derive(Default)]
struct Builder {
    root: Option<Node>,
    open: Vec<Open>,
    documents: usize,
    end_line: usize,
    comments: BTreeMap<usize, usize>,
}

/// A list or a mapping whose end has not come yet; a mapping may wait for the value of a key.
struct Open {
    node: Node,
    key: Option<Node>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Problem> {
        match event {
            Event::DocumentStart(..) => self.count_document(place(span.start))?,
            Event::DocumentEnd => self.end_line = span.start.line(),
            Event::Comment(..) => {
                self.comments
                    .insert(span.start.line(), span.start.col() + 1);
            }
            Event::Scalar(text, style, anchor, tag) => {
                let text = text.into_owned();
                let content = Content::Scalar { text, style };
                self.add(node(span, content, anchor != 0 || tag.is_some()));
            }
            Event::SequenceStart(style, anchor, tag) => {
                let (items, flow) = (Vec::new(), style == StructureStyle::Flow);
                let content = Content::List { items, flow };
                self.start(node(span, content, anchor != 0 || tag.is_some()));
            }
            Event::MappingStart(style, anchor, tag) => {
                let (entries, flow) = (Vec::new(), style == StructureStyle::Flow);
                let content = Content::Map { entries, flow };
                self.start(node(span, content, anchor != 0 || tag.is_some()));
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(mut open) = self.open.pop() {
                    open.node.end = place(span.end).offset;
                    self.add(open.node);
                }
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.add(node(span, Content::Alias, true));
            }
            _ => {}
        }
        Ok(())
    }

    fn count_document(&mut self, place: Place) -> Result<(), Problem> {
        self.documents += 1;
        if self.documents == 1 {
            return Ok(());
        }
        Err(Problem::new("the file has more than one YAML document")
            .at(place.line, place.column)
            .help("keep one, and remove the `---` between them"))
    }

    fn start(&mut self, node: Node) {
        self.open.push(Open { node, key: None });
    }

    fn add(&mut self, node: Node) {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match &mut open.node.content {
            Content::List { items, .. } => items.push(node),
            Content::Map { entries, .. } => match open.key.take() {
                Some(key) => entries.push(Entry { key, value: node }),
                None => open.key = Some(node),
            },
            Content::Scalar { .. } | Content::Alias => {}
        }
    }

    fn finish(self) -> Document {
        Document {
            root: self.root,
            end_line: self.end_line,
            comments: self.comments,
        }
    }
}

fn node(span: Span, content: Content, marked: bool) -> Node {
    Node {
        start: place(span.start),
        end: place(span.end).offset,
        marked,
        content,
    }
}
