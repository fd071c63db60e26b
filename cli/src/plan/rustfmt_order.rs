//! The order in which rustfmt (style edition 2024) keeps lists of `mod` and `use` lines.
//!
//! Modules go by their text; imports too, but numbers in them by their value. Only as much of it as the lines kb-rs writes need:
//! ASCII, snake case. The scaffold tests run the real rustfmt over it.

use std::{cmp::Ordering, iter::Peekable, str::Chars};

/// Compares two lines of the same list.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_end_matches(';'), b.trim_end_matches(';'));
    if a.contains("use ") {
        compare_imports(a, b)
    } else {
        a.cmp(b)
    }
}

/// Compares two imported paths.
pub(crate) fn compare_imports(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    loop {
        let ordering = match (left.peek(), right.peek()) {
            (None, None) => return a.cmp(b),
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                number(&mut left).cmp(&number(&mut right))
            }
            (Some(x), Some(y)) => {
                let ordering = rank(*x).cmp(&rank(*y));
                left.next();
                right.next();
                ordering
            }
        };
        if ordering.is_ne() {
            return ordering;
        }
    }
}

/// The end of a name sorts first, then the underscore, then everything else.
fn rank(character: char) -> (u8, char) {
    match character {
        ':' => (0, character),
        '_' => (1, character),
        _ => (2, character),
    }
}

/// A run of digits, without its leading zeros: by length first, then by text, is by value.
fn number(characters: &mut Peekable<Chars<'_>>) -> (usize, String) {
    let mut digits = String::new();
    while let Some(digit) = characters.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    let value = digits.trim_start_matches('0').to_owned();
    (value.len(), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str]) {
        for pair in lines.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
        }
    }

    #[test]
    fn modules_go_by_their_text() {
        check(&[
            "mod a;",
            "mod a1;",
            "mod a_b;",
            "mod ab;",
            "mod v10;",
            "mod v1alpha1;",
            "mod v2;",
        ]);
    }

    #[test]
    fn numbers_in_imports_count_by_value() {
        check(&[
            "pub use a::*;",
            "pub use a_b::*;",
            "pub use a1::*;",
            "pub use ab::*;",
            "pub use v1alpha1::*;",
            "pub use v2::*;",
            "pub use v10::*;",
        ]);
    }
}
