//! Links from the book to rustdoc.
//!
//! The first mention of an item on a page becomes a reference link (``[`Store::index`]``), whose definition is at the end of the page. `make book` builds
//! rustdoc into `api/` of the book, and its link check resolves every definition.

mod items;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use self::items::{BARE_METHODS, FUNCTIONS, MACROS, RECEIVERS, TYPES};
use crate::page;

/// Crates and modules of the types.
const MODULES: [&str; 9] = [
    "kb",
    "kb_envtest",
    "controller",
    "flags",
    "leader",
    "manager",
    "objects",
    "server",
    "store",
];

/// Returns the rustdoc page of an item, relative to the documentation root.
fn resolve(code: &str) -> Option<String> {
    if let Some(name) = code.strip_prefix("#[kb::") {
        let name = name.split(['(', ']']).next()?;
        return MACROS
            .contains(&name)
            .then(|| format!("kb/attr.{name}.html"));
    }
    if code.starts_with("kube::") {
        return None;
    }
    let path = code.split(['(', '<']).next()?.trim_end_matches(':');
    let segments: Vec<&str> = path
        .split("::")
        .flat_map(|segment| segment.split('.'))
        .collect();
    let (name, parent) = segments.split_last()?;
    let Some(parent) = parent.last() else {
        let method = BARE_METHODS.iter().find(|(method, _)| method == name);
        let method = method.and_then(|(method, parent)| member(parent, method));
        return method.or_else(|| type_page(name));
    };
    let function = format!("{parent}::{name}");
    let function = FUNCTIONS.iter().find(|(known, _)| *known == function);
    if let Some((_, page)) = function {
        return Some((*page).to_owned());
    }
    let receiver = RECEIVERS.iter().find(|(receiver, _)| receiver == parent);
    let receiver = receiver.map_or(*parent, |(_, name)| name);
    member(receiver, name).or_else(|| {
        let is_path = MODULES.contains(parent) && !path.contains('.');
        is_path.then(|| type_page(name)).flatten()
    })
}

fn type_page(name: &str) -> Option<String> {
    let known = TYPES.iter().find(|(known, ..)| *known == name)?;
    Some(known.1.to_owned())
}

fn member(parent: &str, name: &str) -> Option<String> {
    let (_, page, methods) = TYPES.iter().find(|(known, ..)| *known == parent)?;
    let kind = if name.starts_with(char::is_uppercase) {
        "variant"
    } else {
        "method"
    };
    methods
        .contains(&name)
        .then(|| format!("{page}#{kind}.{name}"))
}

/// Links of one page.
struct Linker {
    /// Path from the page to the rustdoc root.
    root: String,
    /// Pages of items that are linked already.
    linked: BTreeSet<String>,
    /// Pages by the text of the link.
    definitions: BTreeMap<String, String>,
}

impl Linker {
    /// Links the first mention of each item in a line of prose.
    fn line(&mut self, line: &str) -> String {
        let mut text = String::with_capacity(line.len());
        // Brackets open in the text so far: code in them is the text of another link.
        let mut depth = 0_usize;
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('`') {
            let Some((code, after)) = after.split_once('`') else {
                break;
            };
            for character in before.chars() {
                match character {
                    '[' => depth += 1,
                    ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            text.push_str(before);
            text.push_str(&self.span(code, before, after, depth));
            rest = after;
        }
        text.push_str(rest);
        text
    }

    fn span(&mut self, code: &str, before: &str, after: &str, depth: usize) -> String {
        let plain = format!("`{code}`");
        let is_reference =
            before.ends_with('[') && after.starts_with(']') && !after.starts_with("](");
        let page = resolve(code);
        if is_reference {
            let page = page.unwrap_or_else(|| panic!("[`{code}`] is no item of kb"));
            self.linked.insert(page.clone());
            self.definitions.insert(code.to_owned(), page);
            return plain;
        }
        let Some(page) = page else {
            return plain;
        };
        if depth > 0 {
            if after.starts_with(&format!("]({}{page})", self.root)) {
                self.linked.insert(page);
            }
            return plain;
        }
        if !self.linked.insert(page.clone()) {
            return plain;
        }
        // A link label cannot contain brackets.
        if code.contains('[') {
            return format!("[{plain}]({}{page})", self.root);
        }
        self.definitions.insert(code.to_owned(), page);
        format!("[{plain}]")
    }
}

/// Links the first mention of each item of kb outside of headings, code blocks and generated sections.
fn link(page: &str, text: &str) -> String {
    let mut linker = Linker {
        root: format!("{}api/", "../".repeat(page.matches('/').count())),
        linked: BTreeSet::new(),
        definitions: BTreeMap::new(),
    };
    let mut lines = Vec::new();
    let (mut is_code, mut is_generated) = (false, false);
    for line in text.lines() {
        if line.starts_with("[`") && line.contains("`]: ") {
            continue;
        }
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        is_generated = match line {
            "<!-- end generated -->" => false,
            line => is_generated || line.starts_with("<!-- generated: "),
        };
        lines.push(
            if is_code || is_fence || is_generated || line.starts_with(['#', '<']) {
                line.to_owned()
            } else {
                linker.line(line)
            },
        );
    }
    let mut text = lines.join("\n").trim_end().to_owned();
    text.push('\n');
    if !linker.definitions.is_empty() {
        text.push('\n');
    }
    for (code, target) in linker.definitions {
        writeln!(text, "[`{code}`]: {}{target}", linker.root).unwrap();
    }
    text
}

#[test]
fn api_links_are_in_sync() {
    for name in page::all() {
        page::assert_in_sync(&name, |text| link(&name, text));
    }
}

#[test]
fn links_the_first_mention_of_an_item() {
    let page = "# `Manager`\n\n`kb::Manager` runs. `Manager` and [the `Store`](x.md), `manager.run()`.\n\n```rust\n`Store`\n```\n";
    let linked = link("concepts/page.md", page);
    assert_eq!(
        linked,
        "# `Manager`\n\n[`kb::Manager`] runs. `Manager` and [the `Store`](x.md), [`manager.run()`].\n\n```rust\n`Store`\n```\n\n\
         [`kb::Manager`]: ../api/kb/manager/struct.Manager.html\n[`manager.run()`]: ../api/kb/manager/struct.Manager.html#method.run\n"
    );
    assert_eq!(link("concepts/page.md", &linked), linked);
}
