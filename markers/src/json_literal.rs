//! JSON written as Rust tokens: `"text"`, `1`, `-1.5`, `true`, `null`, `[1, 2]`, `{"key": "value"}`.

use serde_json::{Map, Number, Value};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{Ident, Lit, LitStr, Token, braced, bracketed, token};

use crate::errors::error_with_help;

const USAGE: &str = "write a string, a number, `true`, `false`, `null`, `[..]` or `{\"key\": ..}`";

/// Parses a literal.
pub(crate) fn value(input: ParseStream) -> syn::Result<Value> {
    if input.peek(token::Bracket) {
        let content;
        bracketed!(content in input);
        return list(&content).map(Value::Array);
    }
    if input.peek(token::Brace) {
        let content;
        braced!(content in input);
        return object(&content).map(Value::Object);
    }
    if let Some(number) = number(input)? {
        return Ok(Value::Number(number));
    }
    let start = input.span();
    let unexpected = || {
        let problem = "expected a JSON literal";
        syn::Error::new(start, format!("{problem}\nhelp: {USAGE}"))
    };
    if input.peek(Lit) {
        return match input.parse()? {
            Lit::Str(text) => Ok(text.value().into()),
            Lit::Bool(flag) => Ok(flag.value.into()),
            Lit::Char(letter) => Ok(letter.value().to_string().into()),
            other => Err(error_with_help(other, "expected a JSON literal", USAGE)),
        };
    }
    match Ident::parse_any(input) {
        Ok(word) if word == "null" => Ok(Value::Null),
        _ => Err(unexpected()),
    }
}

/// Parses comma-separated literals until the end.
pub(crate) fn list(input: ParseStream) -> syn::Result<Vec<Value>> {
    let mut values = Vec::new();
    while !input.is_empty() {
        values.push(value(input)?);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(values)
}

fn object(input: ParseStream) -> syn::Result<Map<String, Value>> {
    let mut map = Map::new();
    while !input.is_empty() {
        let key: LitStr = input.parse()?;
        input.parse::<Token![:]>()?;
        if map.insert(key.value(), value(input)?).is_some() {
            let problem = format!("duplicate key {:?}", key.value());
            return Err(syn::Error::new_spanned(key, problem));
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(map)
}

/// Parses a number, or returns `None` without consuming anything. A number without fraction is an integer.
pub(crate) fn number(input: ParseStream) -> syn::Result<Option<Number>> {
    let ahead = input.fork();
    let minus = ahead.parse::<Option<Token![-]>>()?;
    let Ok(literal @ (Lit::Int(_) | Lit::Float(_))) = ahead.parse::<Lit>() else {
        return Ok(None);
    };
    input.advance_to(&ahead);
    from_literal(&literal, minus.is_some()).map(Some)
}

/// Returns the value of a numeric literal.
fn from_literal(literal: &Lit, negative: bool) -> syn::Result<Number> {
    let sign = if negative { "-" } else { "" };
    let (digits, suffix) = match literal {
        Lit::Int(literal) => (literal.base10_digits(), literal.suffix()),
        Lit::Float(literal) => (literal.base10_digits(), literal.suffix()),
        other => return Err(syn::Error::new_spanned(other, "expected a number")),
    };
    if !suffix.is_empty() {
        let help = format!("use `{sign}{digits}`");
        return Err(error_with_help(
            literal,
            "JSON numbers have no suffix",
            help,
        ));
    }
    from_digits(digits, negative)
        .ok_or_else(|| syn::Error::new_spanned(literal, "number out of range for JSON"))
}

/// Returns the number with these decimal digits, if JSON can represent it.
pub(crate) fn from_digits(digits: &str, negative: bool) -> Option<Number> {
    let text = format!("{}{digits}", if negative { "-" } else { "" });
    if digits.contains(['.', 'e', 'E']) {
        return text.parse().ok().and_then(from_float);
    }
    let signed = text.parse::<i64>().map(Number::from);
    signed
        .or_else(|_| text.parse::<u64>().map(Number::from))
        .ok()
}

/// Converts a number to JSON. Without fraction it becomes an integer, as far as floats are exact.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the value is integral and within the exact range"
)]
fn from_float(float: f64) -> Option<Number> {
    let number = Number::from_f64(float)?;
    if float.fract() == 0.0 && is_exact(&number) {
        return Some(Number::from(float as i64));
    }
    Some(number)
}

/// Returns whether a double represents this integer exactly (up to 2^53).
pub(crate) fn is_exact(number: &Number) -> bool {
    const MAX_EXACT: u64 = 1 << 53;
    match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(number), ..) => number <= MAX_EXACT,
        (None, Some(number), _) => number.unsigned_abs() <= MAX_EXACT,
        (None, None, float) => float.is_some_and(|float| float.abs() <= 9_007_199_254_740_992.0),
    }
}
