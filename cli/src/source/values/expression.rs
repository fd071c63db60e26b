//! Evaluates expressions.

use kb_markers::Expression;
use kb_model::api::Type;
use quote::ToTokens;
use serde_json::Value;
use syn::{Expr, punctuated::Punctuated, spanned::Spanned};

use super::super::{
    cfg,
    instances::Builder,
    resolve::{Entity, Namespace},
    tree::ItemContent,
    type_resolution::{Argument, Scope},
};

/// Limit of nested expressions and constants.
const MAX_DEPTH: usize = 64;

/// Limit of evaluated expressions per default: constants that refer to each other can take exponential time.
const MAX_STEPS: usize = 100_000;

impl Builder<'_> {
    /// Evaluates a default. Records a reason to fall back if only rustc can.
    pub(in super::super) fn default_value(
        &mut self,
        default: &Expression,
        scope: &Scope,
    ) -> Option<Value> {
        let expected = self.ty(&default.ty, scope).ok()?;
        self.value_steps = 0;
        let value = self.value(&default.expression, &expected, scope);
        if self.value_steps > MAX_STEPS {
            let message = format!("evaluating this default takes more than {MAX_STEPS} steps");
            let help = "use a smaller default, or make the field optional";
            let span = default.expression.span();
            let _: Result<(), _> = self.reject(scope, span, message, Some(help));
        } else if value.is_none() {
            let text = cfg::tidy(&default.expression.to_token_stream());
            let text = format!("the default `{text}` is computed");
            let _: Result<(), _> = self.fall_back(scope, default.expression.span(), text);
        }
        value
    }

    /// Evaluates an expression of the type `expected`.
    pub(in super::super) fn value(
        &mut self,
        expression: &Expr,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        self.value_steps += 1;
        if self.depth > MAX_DEPTH || self.value_steps > MAX_STEPS {
            return None;
        }
        self.depth += 1;
        let value = self.evaluate(expression, expected, scope);
        self.depth -= 1;
        value
    }

    fn evaluate(&mut self, expression: &Expr, expected: &Type, scope: &Scope) -> Option<Value> {
        match expression {
            Expr::Paren(inner) => self.value(&inner.expr, expected, scope),
            Expr::Group(inner) => self.value(&inner.expr, expected, scope),
            // The const argument `{ N }`.
            Expr::Block(block) => match &block.block.stmts[..] {
                [syn::Stmt::Expr(inner, None)] => self.value(inner, expected, scope),
                _ => None,
            },
            Expr::Lit(literal) => super::literals::literal(&literal.lit, expected),
            Expr::Unary(_) | Expr::Binary(_) => self.number(expression, expected, scope),
            Expr::Array(array) => self.list(array.elems.iter(), expected, scope),
            Expr::Macro(call) => self.vec_macro(&call.mac, expected, scope),
            Expr::MethodCall(call) => self.method(call, expected, scope),
            Expr::Call(call) => self.call(call, expected, scope),
            Expr::Path(path) => self.named(path, expected, scope),
            Expr::Struct(literal) => self.object(literal, expected, scope),
            _ => None,
        }
    }

    /// Returns the type inside an `Option`: the default of an optional field may be written without `Some`.
    pub(super) fn plain(expected: &Type) -> &Type {
        match expected {
            Type::Optional(inner) => inner,
            other => other,
        }
    }

    fn list<'e>(
        &mut self,
        elements: impl Iterator<Item = &'e Expr>,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let (Type::List(element) | Type::Array(element, _)) = expected else {
            return None;
        };
        let values: Option<Vec<Value>> = elements
            .map(|expression| self.value(expression, element, scope))
            .collect();
        let values = values?;
        match expected {
            Type::Array(_, length) if *length != values.len() as u64 => None,
            _ => Some(Value::Array(values)),
        }
    }

    fn vec_macro(&mut self, call: &syn::Macro, expected: &Type, scope: &Scope) -> Option<Value> {
        if call.path.segments.last()?.ident != "vec" || !matches!(expected, Type::List(_)) {
            return None;
        }
        let elements = Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        let elements = call.parse_body_with(elements).ok()?;
        self.list(elements.iter(), expected, scope)
    }

    /// Evaluates a constant, a variant, `None` or a const parameter.
    fn named(&mut self, path: &syn::ExprPath, expected: &Type, scope: &Scope) -> Option<Value> {
        if let Some(Argument::Number(number)) = path
            .path
            .get_ident()
            .and_then(|ident| scope.arguments.get(&ident.to_string()))
        {
            return Some((*number).into());
        }
        match self.entity(path, Namespace::Value, scope)? {
            Entity::Foreign(path) if path == "std::option::Option::None" => {
                matches!(expected, Type::Optional(_)).then_some(Value::Null)
            }
            Entity::Item(id) => match &self.tree.item(id).content {
                ItemContent::Constant(constant) => {
                    let scope = Scope::of(self.tree.item(id).module);
                    self.value(&constant.expr, expected, &scope)
                }
                _ => None,
            },
            Entity::Variant(id, position) => self.unit_variant(id, position, Self::plain(expected)),
            _ => None,
        }
    }
}
