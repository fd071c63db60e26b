//! Generates strings for patterns, and matches them.
//!
//! The API server uses Go's regular expressions, which regex-syntax parses. It is only a parser; a naive matcher suffices for strings this short.
//! Matches are unanchored, as in Go.

use std::collections::BTreeSet;

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

/// Maximum length of an example.
const MAX_LEN: usize = 4096;
/// Readable characters of a class, best first.
const READABLE: &str = "abcdefghijklmnopqrstuvwxyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ-._/:@+=,;%#&*!?~$^()[]{}<>|'\"`\\ ";

/// A parsed pattern.
#[derive(Debug)]
pub(super) struct Pattern(Hir);

impl Pattern {
    /// Parses a pattern.
    pub(super) fn parse(text: &str) -> Option<Self> {
        regex_syntax::parse(text).ok().map(Self)
    }

    /// Returns a string that likely matches. `choice` selects characters and alternatives; repetitions have `more` iterations beyond their
    /// minimum.
    pub(super) fn example(&self, choice: usize, more: usize) -> Option<String> {
        let mut generator = Generator {
            choice,
            more: u32::try_from(more).ok()?,
            text: String::new(),
        };
        generator.write(&self.0)?;
        Some(generator.text)
    }

    /// Returns whether a string matches.
    pub(super) fn matches(&self, text: &str) -> bool {
        let starts = (0..=text.len()).filter(|start| text.is_char_boundary(*start));
        !match_ends(&self.0, text, &starts.collect()).is_empty()
    }
}

struct Generator {
    choice: usize,
    more: u32,
    text: String,
}

impl Generator {
    fn write(&mut self, hir: &Hir) -> Option<()> {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.text.push_str(str::from_utf8(&literal.0).ok()?),
            HirKind::Class(class) => {
                let letters = letters(class);
                let letter = self.pick(&letters)?;
                self.text.push(*letter);
            }
            HirKind::Capture(capture) => self.write(&capture.sub)?,
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.write(part))?,
            HirKind::Alternation(alternatives) => {
                let alternative = self.pick(alternatives)?;
                self.write(alternative)?;
            }
            HirKind::Repetition(Repetition { min, max, sub, .. }) => {
                let count = min.saturating_add(self.more).min(max.unwrap_or(u32::MAX));
                for _ in 0..count {
                    self.write(sub)?;
                }
            }
        }
        (self.text.len() <= MAX_LEN).then_some(())
    }

    fn pick<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        let index = self.choice.checked_rem(choices.len())?;
        self.choice /= choices.len();
        choices.get(index)
    }
}

/// Returns readable characters of a class, otherwise its first ones.
fn letters(class: &Class) -> Vec<char> {
    let readable = READABLE.chars().filter(|c| contains(class, *c));
    let readable: Vec<char> = readable.collect();
    if !readable.is_empty() {
        return readable;
    }
    let first = match class {
        Class::Unicode(class) => class
            .ranges()
            .first()
            .map(regex_syntax::hir::ClassUnicodeRange::start),
        Class::Bytes(class) => class
            .ranges()
            .first()
            .map(|range| char::from(range.start())),
    };
    first.into_iter().collect()
}

fn contains(class: &Class, letter: char) -> bool {
    let in_range = |start: char, end: char| start <= letter && letter <= end;
    match class {
        Class::Unicode(class) => class
            .iter()
            .any(|range| in_range(range.start(), range.end())),
        Class::Bytes(class) => class
            .iter()
            .any(|range| in_range(range.start().into(), range.end().into())),
    }
}

/// Returns the positions where a match starting at one of `starts` can end.
fn match_ends(hir: &Hir, text: &str, starts: &BTreeSet<usize>) -> BTreeSet<usize> {
    match hir.kind() {
        HirKind::Empty => starts.clone(),
        HirKind::Literal(literal) => {
            let is_there = |start: &&usize| text.as_bytes()[**start..].starts_with(&literal.0);
            let found = starts.iter().filter(is_there);
            found.map(|start| start + literal.0.len()).collect()
        }
        HirKind::Class(class) => {
            let next = |start: &usize| {
                let letter = text.get(*start..)?.chars().next()?;
                contains(class, letter).then(|| start + letter.len_utf8())
            };
            starts.iter().filter_map(next).collect()
        }
        HirKind::Look(look) => {
            let holds = |start: &&usize| assertion_holds(*look, text, **start);
            starts.iter().filter(holds).copied().collect()
        }
        HirKind::Capture(capture) => match_ends(&capture.sub, text, starts),
        HirKind::Concat(parts) => {
            let first = starts.clone();
            parts
                .iter()
                .fold(first, |from, part| match_ends(part, text, &from))
        }
        HirKind::Alternation(alternatives) => {
            let all = alternatives
                .iter()
                .flat_map(|alternative| match_ends(alternative, text, starts));
            all.collect()
        }
        HirKind::Repetition(repetition) => repetition_ends(repetition, text, starts),
    }
}

fn repetition_ends(
    repetition: &Repetition,
    text: &str,
    starts: &BTreeSet<usize>,
) -> BTreeSet<usize> {
    let mut here = starts.clone();
    let mut found = BTreeSet::new();
    for count in 0..=repetition.max.unwrap_or(u32::MAX) {
        if count >= repetition.min {
            let known = found.len();
            found.extend(&here);
            // No new position: further iterations change nothing.
            if found.len() == known {
                break;
            }
        }
        here = match_ends(&repetition.sub, text, &here);
        if here.is_empty() {
            break;
        }
    }
    found
}

/// Returns whether an assertion holds at a position.
fn assertion_holds(look: Look, text: &str, at: usize) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let bytes = text.as_bytes();
    let before = at.checked_sub(1).and_then(|index| bytes.get(index));
    let after = bytes.get(at);
    let is_boundary = is_word(before) != is_word(after);
    match look {
        Look::Start => before.is_none(),
        Look::End => after.is_none(),
        Look::StartLF | Look::StartCRLF => before.is_none_or(|byte| *byte == b'\n'),
        Look::EndLF | Look::EndCRLF => after.is_none_or(|byte| *byte == b'\n'),
        Look::WordAscii | Look::WordUnicode => is_boundary,
        Look::WordAsciiNegate | Look::WordUnicodeNegate => !is_boundary,
        // Go has no others.
        _ => false,
    }
}
