//! The next change that brings a PROJECT text closer to the wanted record.
//!
//! One difference is mended at a time, and the text read again before the next one: so no change has to know what the
//! others do to the lines around it. Additions come before removals, so that a list does not vanish in between. What
//! is not written in block style is not touched: the answer is then [`Stuck`], with the place.

use serde_saphyr::granit_parser::ScalarStyle;

use std::collections::HashMap;

use super::{
    document::{Content, Entry, Node},
    field::{self, Field, Fields},
    patch::{Page, Splice},
};

/// Where an edit cannot go on.
#[derive(Debug)]
pub(crate) struct Stuck {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Stuck {
    pub(crate) fn at(node: &Node) -> Self {
        let (line, column) = (node.start.line, node.start.column);
        Self { line, column }
    }
}

type Change = Result<Option<Vec<Splice>>, Stuck>;

/// What to do to the text so that it has one difference less; nothing if there is none.
pub(crate) fn next(page: &Page<'_>, before: &Fields<'_>, after: &Fields<'_>) -> Change {
    let Some(root) = &page.document.root else {
        return Ok(None);
    };
    let shift = list_shift(page, root);
    let editor = Editor { page, shift };
    editor.map(root, page.document.end_line, before, after)
}

/// How far lists stand further in than their key: as `resources` or `layout` do now.
fn list_shift(page: &Page<'_>, root: &Node) -> usize {
    let lists = ["resources", "layout"].into_iter();
    let mut items = lists.filter_map(|key| match &root.get(key)?.content {
        Content::List { items, flow: false } => items.first(),
        _ => None,
    });
    let dash = items.next().and_then(|item| page.dash_of(item));
    dash.map_or(0, |(_, column)| column.saturating_sub(root.start.column))
}

struct Editor<'a> {
    page: &'a Page<'a>,
    shift: usize,
}

/// A block list under its key.
struct Listing<'a> {
    entry: &'a Entry,
    /// The line of what follows the list.
    limit: usize,
}

impl Editor<'_> {
    fn map(&self, node: &Node, limit: usize, before: &Fields<'_>, after: &Fields<'_>) -> Change {
        let surplus =
            |key: &str| field::get(before, key).is_some() && field::get(after, key).is_none();
        for (key, wanted) in after {
            let present = field::get(before, key);
            if present != Some(wanted) {
                let change = self.set(node, limit, key, present, wanted)?;
                return change.map_or_else(|| Err(Stuck::at(node)), |change| Ok(Some(change)));
            }
        }
        let mut entries = node.entries().iter().enumerate();
        let Some((index, entry)) = entries.find(|(_, entry)| surplus(entry.name())) else {
            return Ok(None);
        };
        let limit = next_line(node, index, limit);
        let present = field::get(before, entry.name());
        self.unset(node, entry, limit, present).map(Some)
    }

    fn set(
        &self,
        node: &Node,
        limit: usize,
        key: &'static str,
        present: Option<&Field<'_>>,
        wanted: &Field<'_>,
    ) -> Change {
        let mut entries = node.entries().iter().enumerate();
        let Some((index, entry)) = entries.find(|(_, entry)| entry.name() == key) else {
            return self.insert(node, limit, key, wanted).map(Some);
        };
        let limit = next_line(node, index, limit);
        let nothing = Vec::new();
        match (wanted, &entry.value.content) {
            (Field::Text(_) | Field::Flag(_), Content::Scalar { style, .. }) => {
                self.replace(entry, *style, wanted).map(Some)
            }
            (Field::Map(_) | Field::List(_), _) if entry.value.is_vacant() => {
                self.fill(entry, wanted).map(Some)
            }
            (Field::Map(after), Content::Map { flow: false, .. }) => {
                let before = match present {
                    Some(Field::Map(before)) => before,
                    _ => &nothing,
                };
                self.map(&entry.value, limit, before, after)
            }
            (Field::List(after), Content::List { flow: false, .. }) => match present {
                Some(Field::List(before)) => self.list(&Listing { entry, limit }, before, after),
                _ => Err(Stuck::at(&entry.value)),
            },
            (Field::List(_), Content::Scalar { .. }) if !entry.value.marked => {
                let indent = entry.key.start.column - 1;
                let text = self.lines(&vec![(key, wanted.clone())], indent);
                let range = entry.key.start.offset..entry.value.end;
                Ok(Some(vec![Splice::replace(range, text.trim().to_owned())]))
            }
            _ => Err(Stuck::at(&entry.value)),
        }
    }

    /// Takes away what is known of an entry, and the entry itself if nothing else is in it.
    fn unset(
        &self,
        node: &Node,
        entry: &Entry,
        limit: usize,
        present: Option<&Field<'_>>,
    ) -> Result<Vec<Splice>, Stuck> {
        let Content::Map { flow: false, .. } = &node.content else {
            return Err(Stuck::at(node));
        };
        let line = entry.key.start.line;
        match present {
            Some(Field::Map(known)) if !holds_only(&entry.value, known) => {
                let change = self.map(&entry.value, limit, known, &Vec::new())?;
                change.ok_or_else(|| Stuck::at(&entry.value))
            }
            Some(Field::Flag(_)) if self.page.has_comment(line..line + 1) => {
                self.replace(entry, ScalarStyle::Plain, &Field::Flag(false))
            }
            Some(Field::List(items)) if !items.is_empty() => {
                let listing = Listing { entry, limit };
                self.take_item(&listing, items.len() - 1)
            }
            _ => Ok(vec![self.page.remove_entry(entry, limit)]),
        }
    }

    /// A new entry, behind the one that precedes it by alphabet.
    fn insert(
        &self,
        node: &Node,
        limit: usize,
        key: &'static str,
        field: &Field<'_>,
    ) -> Result<Vec<Splice>, Stuck> {
        let Content::Map {
            entries,
            flow: false,
        } = &node.content
        else {
            return Err(Stuck::at(node));
        };
        let first = entries.first().ok_or_else(|| Stuck::at(node))?.key.start;
        let text = self.lines(&vec![(key, field.clone())], first.column - 1);
        let smaller = entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.name() < key);
        let Some((index, entry)) = smaller.max_by_key(|(_, entry)| entry.name()) else {
            let blank = " ".repeat(first.column - 1);
            let text = format!("{}{blank}", text.trim_start());
            return Ok(vec![Splice::insert(first.offset, text)]);
        };
        let start = entry.key.start;
        let end = self
            .page
            .end_of(start.line, start.column, next_line(node, index, limit));
        Ok(vec![Splice::insert(self.page.start_of(end), text)])
    }

    fn replace(
        &self,
        entry: &Entry,
        style: ScalarStyle,
        field: &Field<'_>,
    ) -> Result<Vec<Splice>, Stuck> {
        let value = &entry.value;
        if value.marked || matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            return Err(Stuck::at(value));
        }
        let text = field::scalar(field);
        if value.start.offset < value.end {
            return Ok(vec![Splice::replace(value.start.offset..value.end, text)]);
        }
        let colon = self.page.colon_of(entry).ok_or_else(|| Stuck::at(value))?;
        Ok(vec![Splice::insert(colon, format!(" {text}"))])
    }

    /// Lines under a key that had none, in place of `[]` or `{}`.
    fn fill(&self, entry: &Entry, field: &Field<'_>) -> Result<Vec<Splice>, Stuck> {
        let value = &entry.value;
        let colon = self.page.colon_of(entry).filter(|_| !value.marked);
        let colon = colon.ok_or_else(|| Stuck::at(value))?;
        let indent = entry.key.start.column - 1;
        let text = self.lines(&vec![("", field.clone())], indent);
        let (_, lines) = text.split_once('\n').unwrap_or_default();
        let next = self.page.start_of(entry.key.start.line + 1);
        let mut splices = vec![Splice::insert(next, lines)];
        if colon < value.end {
            splices.push(Splice::remove(colon..value.end));
        }
        Ok(splices)
    }

    fn list(&self, listing: &Listing<'_>, before: &[Field<'_>], after: &[Field<'_>]) -> Change {
        let items = listing.entry.value.items();
        let places: HashMap<Vec<&str>, usize> = before
            .iter()
            .enumerate()
            .map(|(index, item)| (item.identity(), index))
            .collect();
        let place = |item: &Field<'_>| places.get(&item.identity()).copied();
        let mut last = None;
        for field in after {
            let Some(index) = place(field) else {
                return self.add_item(listing, last, field).map(Some);
            };
            last = Some(index);
            if let (Field::Map(before), Field::Map(after)) = (&before[index], field)
                && before != after
            {
                let item = items
                    .get(index)
                    .ok_or_else(|| Stuck::at(&listing.entry.value))?;
                return self.map(item, self.item_limit(listing, index), before, after);
            }
        }
        let kept: Vec<_> = after.iter().map(Field::identity).collect();
        let gone = before
            .iter()
            .position(|item| !kept.contains(&item.identity()));
        match gone {
            Some(index) => self.take_item(listing, index).map(Some),
            None => Err(Stuck::at(&listing.entry.value)),
        }
    }

    /// The line of what follows an item.
    fn item_limit(&self, listing: &Listing<'_>, index: usize) -> usize {
        let next = listing.entry.value.items().get(index + 1);
        let dash = next.and_then(|item| self.page.dash_of(item));
        dash.map_or(listing.limit, |(line, _)| line)
    }

    /// First line, first line behind it, and column of an item's dash.
    fn item_lines(
        &self,
        listing: &Listing<'_>,
        index: usize,
    ) -> Result<(usize, usize, usize), Stuck> {
        let value = &listing.entry.value;
        let item = value.items().get(index).ok_or_else(|| Stuck::at(value))?;
        let dash = self.page.dash_of(item).ok_or_else(|| Stuck::at(item))?;
        let end = self
            .page
            .end_of(dash.0, dash.1, self.item_limit(listing, index));
        Ok((dash.0, end, dash.1))
    }

    fn add_item(
        &self,
        listing: &Listing<'_>,
        behind: Option<usize>,
        field: &Field<'_>,
    ) -> Result<Vec<Splice>, Stuck> {
        let (_, end, column) = self.item_lines(listing, behind.unwrap_or(0))?;
        let line = match behind {
            Some(_) => end,
            None => listing.entry.key.start.line + 1,
        };
        let text = self
            .page
            .own_line_ends(&field::item(field, column - 1, self.shift));
        Ok(vec![Splice::insert(self.page.start_of(line), text)])
    }

    /// Removes an item with the comments above it; the last one takes the key along, unless comments stay there.
    fn take_item(&self, listing: &Listing<'_>, index: usize) -> Result<Vec<Splice>, Stuck> {
        let Listing { entry, limit } = listing;
        let value = &entry.value;
        if !matches!(value.content, Content::List { flow: false, .. }) {
            return Err(Stuck::at(value));
        }
        let (dash, end, column) = self.item_lines(listing, index)?;
        let key_line = entry.key.start.line;
        let column = if index == 0 { usize::MAX } else { column };
        let start = self.page.comments_above(dash, column, key_line);
        let lines = Splice::remove(self.page.start_of(start)..self.page.start_of(end));
        if value.items().len() > 1 {
            return Ok(vec![lines]);
        }
        let last = self.page.end_of(key_line, entry.key.start.column, *limit);
        if !self.page.has_comment(key_line..start) && !self.page.has_comment(end..last) {
            return Ok(vec![self.page.remove_entry(entry, *limit)]);
        }
        let colon = self.page.colon_of(entry).ok_or_else(|| Stuck::at(value))?;
        Ok(vec![Splice::insert(colon, " []"), lines])
    }

    fn lines(&self, fields: &Fields<'_>, indent: usize) -> String {
        let text = field::lines(fields, indent, self.shift);
        self.page.own_line_ends(&text)
    }
}

/// Whether a mapping has no other fields than these.
fn holds_only(node: &Node, fields: &Fields<'_>) -> bool {
    let mut entries = node.entries().iter();
    entries.all(|entry| match field::get(fields, entry.name()) {
        Some(Field::Map(inner)) => holds_only(&entry.value, inner),
        found => found.is_some(),
    })
}

/// The line of the entry behind that with the index.
fn next_line(node: &Node, index: usize, limit: usize) -> usize {
    let next = node.entries().get(index + 1);
    next.map_or(limit, |entry| entry.key.start.line)
}
