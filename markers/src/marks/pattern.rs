//! Checks patterns against RE2, the API server's regular expressions.
//!
//! `regex-syntax` parses nearly the same language. Its extensions to RE2 are rejected here.

use regex_syntax::ast::{
    AssertionKind, Ast, ClassSetBinaryOp, ClassSetItem, Flag, Flags, FlagsItemKind, GroupKind,
    HexLiteralKind, Literal, LiteralKind, Repetition, RepetitionKind, RepetitionRange, Span,
    Visitor, parse::Parser,
};
use regex_syntax::hir::translate::Translator;
use syn::LitStr;

/// Checks that the API server can compile the pattern.
pub(super) fn check(literal: &LitStr) -> syn::Result<()> {
    let pattern = literal.value();
    let ast = Parser::new().parse(&pattern).map_err(|error| {
        let reason = error.kind().to_string();
        problem(literal, &pattern, &reason, error.span())
    })?;
    if let Err((reason, span)) = regex_syntax::ast::visit(&ast, Re2) {
        return Err(problem(literal, &pattern, reason, &span));
    }
    match Translator::new().translate(&pattern, &ast) {
        Ok(_) => Ok(()),
        Err(error) => {
            let reason = error.kind().to_string();
            Err(problem(literal, &pattern, &reason, error.span()))
        }
    }
}

fn problem(literal: &LitStr, pattern: &str, reason: &str, at: &Span) -> syn::Error {
    let found = pattern.get(at.start.offset..at.end.offset).unwrap_or("");
    let at = if found.is_empty() {
        String::new()
    } else {
        format!(", at `{found}`")
    };
    let message = format!("the API server cannot compile this pattern: {reason}{at}");
    syn::Error::new_spanned(literal, message)
}

/// Finds syntax that RE2 does not support.
struct Re2;

type Checked = Result<(), (&'static str, Span)>;

impl Visitor for Re2 {
    type Output = ();
    type Err = (&'static str, Span);

    fn finish(self) -> Checked {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Checked {
        match ast {
            Ast::Flags(set) => flags(&set.flags),
            Ast::Group(group) => match &group.kind {
                GroupKind::NonCapturing(set) => flags(set),
                _ => Ok(()),
            },
            Ast::Literal(found) => literal(found),
            Ast::Assertion(found) => match found.kind {
                AssertionKind::StartLine
                | AssertionKind::EndLine
                | AssertionKind::StartText
                | AssertionKind::EndText
                | AssertionKind::WordBoundary
                | AssertionKind::NotWordBoundary => Ok(()),
                _ => Err(("word boundary other than `\\b` and `\\B`", found.span)),
            },
            Ast::Repetition(found) => repetition(found),
            _ => Ok(()),
        }
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Checked {
        match item {
            ClassSetItem::Bracketed(class) => {
                Err(("nested class (use `\\[` for a bracket)", class.span))
            }
            ClassSetItem::Literal(found) => literal(found),
            _ => Ok(()),
        }
    }

    fn visit_class_set_binary_op_pre(&mut self, operation: &ClassSetBinaryOp) -> Checked {
        Err(("class operator", operation.span))
    }
}

fn flags(flags: &Flags) -> Checked {
    let unknown = flags.items.iter().find(|item| {
        matches!(
            item.kind,
            FlagsItemKind::Flag(Flag::Unicode | Flag::CRLF | Flag::IgnoreWhitespace)
        )
    });
    unknown.map_or(Ok(()), |item| {
        Err(("flag other than `i`, `m`, `s` and `U`", item.span))
    })
}

fn literal(literal: &Literal) -> Checked {
    match literal.kind {
        LiteralKind::HexFixed(HexLiteralKind::UnicodeShort | HexLiteralKind::UnicodeLong)
        | LiteralKind::HexBrace(HexLiteralKind::UnicodeShort | HexLiteralKind::UnicodeLong) => {
            Err(("`\\u` escape (use `\\x{..}`)", literal.span))
        }
        _ => Ok(()),
    }
}

fn repetition(repetition: &Repetition) -> Checked {
    const MAX_TIMES: u32 = 1000;
    if matches!(&*repetition.ast, Ast::Repetition(_)) {
        return Err(("repeated repetition", repetition.span));
    }
    let times = match &repetition.op.kind {
        RepetitionKind::Range(
            RepetitionRange::Exactly(times)
            | RepetitionRange::AtLeast(times)
            | RepetitionRange::Bounded(_, times),
        ) => *times,
        _ => 0,
    };
    if times > MAX_TIMES {
        return Err(("repetition of more than 1000 times", repetition.op.span));
    }
    Ok(())
}
