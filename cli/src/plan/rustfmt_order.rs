//! rustfmt's order of `mod` and `use` lines (style edition 2024).
//!
//! Modules are sorted by text; imports too, except that numbers are compared by value. This covers the lines that kb-rs
//! writes: ASCII in snake case. The scaffold tests compare it with rustfmt.

use std::{cmp::Ordering, iter::Peekable, str::Chars};

/// Compares two lines of a list.
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

/// Ranks the end of a name first, then the underscore, then everything else.
fn rank(character: char) -> (u8, char) {
    match character {
        ':' => (0, character),
        '_' => (1, character),
        _ => (2, character),
    }
}

/// Takes a run of digits. Without leading zeros, comparing the length before the text compares by value.
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
    fn sorts_modules_by_text() {
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
    fn sorts_numbers_in_imports_by_value() {
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
