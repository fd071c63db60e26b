//! Evaluates literals and integer arithmetic.

use kb_model::api::Type;
use serde_json::{Number, Value};
use syn::{BinOp, Expr, Lit, UnOp};

use super::super::{instances::Builder, type_resolution::Scope};

/// Evaluates a literal; `None` if it does not fit the type.
pub(super) fn literal(literal: &Lit, expected: &Type) -> Option<Value> {
    let expected = match expected {
        Type::Optional(inner) => inner,
        other => other,
    };
    match (literal, expected) {
        (Lit::Str(text), Type::String) => Some(text.value().into()),
        (Lit::Char(character), Type::String) => Some(character.value().to_string().into()),
        (Lit::Bool(value), Type::Bool) => Some(value.value.into()),
        (Lit::Int(number), Type::Integer { .. }) => integer(number.base10_parse().ok()?, expected),
        (Lit::Float(number), Type::Float) => float(number.base10_parse().ok()?),
        _ => None,
    }
}

/// Returns an integer if it is in the range of the type.
fn integer(number: i128, expected: &Type) -> Option<Value> {
    let Type::Integer { bits, signed } = expected else {
        return None;
    };
    let (least, greatest) = range(*bits, *signed);
    (least..=greatest)
        .contains(&number)
        .then(|| Number::from_i128(number).map(Value::Number))?
}

/// Returns a number that is the same as `f32` and `f64`: which of them the field has is not known here.
fn float(number: f64) -> Option<Value> {
    #[expect(clippy::cast_possible_truncation, reason = "that is the question")]
    let narrow = f64::from(number as f32);
    if narrow.to_bits() != number.to_bits() {
        return None;
    }
    Number::from_f64(number).map(Value::Number)
}

/// Returns the range of an integer type, clamped to `i128`.
fn range(bits: u8, signed: bool) -> (i128, i128) {
    match (bits, signed) {
        (128, true) => (i128::MIN, i128::MAX),
        (128, false) => (0, i128::MAX),
        (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (bits, false) => (0, (1 << bits) - 1),
    }
}

impl Builder<'_> {
    /// Evaluates a unary or binary expression.
    pub(super) fn number(
        &mut self,
        expression: &Expr,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let expected = Self::plain(expected);
        match (expression, expected) {
            (Expr::Unary(unary), Type::Float) if matches!(unary.op, UnOp::Neg(_)) => {
                let value = self.value(&unary.expr, expected, scope)?;
                float(-value.as_f64()?)
            }
            (Expr::Unary(unary), Type::Bool) if matches!(unary.op, UnOp::Not(_)) => {
                let value = self.value(&unary.expr, expected, scope)?;
                Some((!value.as_bool()?).into())
            }
            (_, Type::Integer { .. }) => {
                let number = self.arithmetic(expression, expected, scope)?;
                integer(number, expected)
            }
            _ => None,
        }
    }

    /// Evaluates an integer expression. Every intermediate result must be in range, as in Rust.
    fn arithmetic(&mut self, expression: &Expr, expected: &Type, scope: &Scope) -> Option<i128> {
        match expression {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                // -128 fits an i8, 128 does not.
                if let Expr::Lit(literal) = &*unary.expr
                    && let Lit::Int(number) = &literal.lit
                {
                    return number.base10_parse::<i128>().ok()?.checked_neg();
                }
                let value = self.arithmetic(&unary.expr, expected, scope)?;
                checked(value.checked_neg()?, expected)
            }
            Expr::Binary(binary) => {
                let left = self.arithmetic(&binary.left, expected, scope)?;
                let right = self.arithmetic(&binary.right, expected, scope)?;
                let result = match binary.op {
                    BinOp::Add(_) => left.checked_add(right),
                    BinOp::Sub(_) => left.checked_sub(right),
                    BinOp::Mul(_) => left.checked_mul(right),
                    BinOp::Div(_) => left.checked_div(right),
                    BinOp::Rem(_) => left.checked_rem(right),
                    _ => None,
                };
                checked(result?, expected)
            }
            Expr::Paren(inner) => self.arithmetic(&inner.expr, expected, scope),
            other => {
                let value = self.value(other, expected, scope)?;
                let signed = value.as_i64().map(i128::from);
                signed.or_else(|| value.as_u64().map(i128::from))
            }
        }
    }
}

fn checked(number: i128, expected: &Type) -> Option<i128> {
    integer(number, expected).map(|_| number)
}
