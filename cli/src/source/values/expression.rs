//! Which expression means which value.

use kb_markers::Expression;
use kb_model::api::Type;
use quote::ToTokens;
use serde_json::Value;
use syn::{Expr, punctuated::Punctuated, spanned::Spanned};

use super::super::{
    cfg,
    instances::Builder,
    resolve::{Entity, Namespace},
    tree::Content,
    type_resolution::{Argument, Scope, integer_of},
};

/// How deep expressions and constants may be nested.
const MAX_DEPTH: usize = 64;

/// The most expressions that lead to one value: constants that double each other have no end.
const MAX_STEPS: usize = 100_000;

impl Builder<'_> {
    /// The value of a default; none, and a reason, if only rustc can compute it.
    pub(in super::super) fn default_value(
        &mut self,
        default: &Expression,
        scope: &Scope,
    ) -> Option<Value> {
        let expected = self.ty(&default.ty, scope).ok()?;
        self.value_steps = 0;
        let value = self.value(&default.expression, &expected, scope);
        if self.value_steps > MAX_STEPS {
            let message = format!("this default takes more than {MAX_STEPS} steps to compute");
            let help = "use a smaller default, or make the field optional";
            let span = default.expression.span();
            let _: Result<(), _> = self.wrong(scope, span, message, Some(help));
        } else if value.is_none() {
            let text = cfg::tidy(&default.expression.to_token_stream());
            let text = format!("the default `{text}` is computed: only rustc knows its value");
            let _: Result<(), _> = self.unclear(scope, default.expression.span(), text);
        }
        value
    }

    /// The value of an expression of this type.
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
        let value = self.value_here(expression, expected, scope);
        self.depth -= 1;
        value
    }

    fn value_here(&mut self, expression: &Expr, expected: &Type, scope: &Scope) -> Option<Value> {
        match expression {
            Expr::Paren(inner) => self.value(&inner.expr, expected, scope),
            Expr::Group(inner) => self.value(&inner.expr, expected, scope),
            Expr::Block(block) => match &block.block.stmts[..] {
                [syn::Stmt::Expr(inner, None)] => self.value(inner, expected, scope),
                _ => None,
            },
            Expr::Reference(inner) => self.value(&inner.expr, expected, scope),
            Expr::Lit(literal) => super::literals::literal(&literal.lit, expected),
            Expr::Unary(_) | Expr::Binary(_) => self.number(expression, expected, scope),
            Expr::Array(array) => self.list(array.elems.iter(), expected, scope),
            Expr::Repeat(repeat) => self.repeated(&repeat.expr, &repeat.len, expected, scope),
            Expr::Macro(call) => self.list_macro(&call.mac, expected, scope),
            Expr::MethodCall(call) => self.method(call, expected, scope),
            Expr::Call(call) => self.call(call, expected, scope),
            Expr::Path(path) => self.named(path, expected, scope),
            Expr::Struct(literal) => self.object(literal, expected, scope),
            _ => None,
        }
    }

    /// What stands behind an `Option`: a plain value is taken for one that is there.
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
        let (Type::List(element) | Type::Set(element) | Type::Array(element, _)) = expected else {
            return None;
        };
        let values: Option<Vec<Value>> = elements
            .map(|expression| self.value(expression, element, scope))
            .collect();
        let values = values?;
        match expected {
            Type::Array(_, length) if *length != values.len() as u64 => None,
            // The order and the number of a set's elements is what its type makes of them.
            Type::Set(_) if values.len() > 1 => None,
            _ => Some(Value::Array(values)),
        }
    }

    fn repeated(
        &mut self,
        element: &Expr,
        length: &Expr,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let length = self.length(length, scope).ok()?;
        if length > 1024 {
            return None;
        }
        self.list((0..length).map(|_| element), expected, scope)
    }

    /// `vec![a, b]` and `vec![a; n]`.
    fn list_macro(&mut self, call: &syn::Macro, expected: &Type, scope: &Scope) -> Option<Value> {
        if call.path.segments.last()?.ident != "vec" || !matches!(expected, Type::List(_)) {
            return None;
        }
        let listed = Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        if let Ok(elements) = call.parse_body_with(listed) {
            return self.list(elements.iter(), expected, scope);
        }
        let repeat = |input: syn::parse::ParseStream<'_>| -> syn::Result<(Expr, Expr)> {
            let element = input.parse()?;
            let _: syn::Token![;] = input.parse()?;
            Ok((element, input.parse()?))
        };
        let (element, length) = call.parse_body_with(repeat).ok()?;
        self.repeated(&element, &length, expected, scope)
    }

    /// A constant, a variant, `None` or a generic parameter.
    fn named(&mut self, path: &syn::ExprPath, expected: &Type, scope: &Scope) -> Option<Value> {
        if path.qself.is_some() {
            return None;
        }
        if let Some(Argument::Number(number)) = path
            .path
            .get_ident()
            .and_then(|ident| scope.arguments.get(&ident.to_string()))
        {
            return Some((*number).into());
        }
        match self
            .resolver
            .path(scope.module, &path.path, Namespace::Value)
        {
            Ok(found) if found.condition.is_some() => None,
            Ok(found) => match found.entity {
                Entity::Foreign(path) if path == "std::option::Option::None" => {
                    matches!(expected, Type::Optional(_)).then_some(Value::Null)
                }
                Entity::Item(id) => match &self.tree.item(id).content {
                    Content::Constant(constant) => {
                        let scope = Scope::of(self.tree.item(id).module);
                        self.value(&constant.expr, expected, &scope)
                    }
                    _ => None,
                },
                Entity::Variant(id, position) => {
                    self.unit_variant(id, position, Self::plain(expected))
                }
                _ => None,
            },
            Err(_) => self
                .limit(&path.path, expected, scope)
                .or_else(|| self.variant_of_type(&path.path, expected, scope)),
        }
    }

    /// `i32::MAX` and `i32::MIN`.
    fn limit(&mut self, path: &syn::Path, expected: &Type, scope: &Scope) -> Option<Value> {
        let (owner, limit) = split_last(path)?;
        let found = self
            .resolver
            .path(scope.module, &owner, Namespace::Type)
            .ok()?;
        let Entity::Primitive(name) = found.entity else {
            return None;
        };
        if !name.starts_with(['i', 'u']) {
            return None;
        }
        let (bits, signed) = integer_of(name);
        let expected = Self::plain(expected);
        if *expected != (Type::Integer { bits, signed }) || bits > 64 {
            return None;
        }
        let (least, greatest) = super::literals::range(bits, signed);
        match limit.to_string().as_str() {
            "MAX" => super::literals::integer(greatest, expected),
            "MIN" => super::literals::integer(least, expected),
            _ => None,
        }
    }

    /// `Self::Running` and `Alias::Running`.
    fn variant_of_type(
        &mut self,
        path: &syn::Path,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let (owner, last) = split_last(path)?;
        let (id, position) = self.variant_in(&owner, &last, expected, scope)?;
        self.unit_variant(id, position, Self::plain(expected))
    }
}

/// A path without its last segment, and that.
pub(super) fn split_last(path: &syn::Path) -> Option<(syn::Path, syn::Ident)> {
    if path.segments.len() < 2 {
        return None;
    }
    let mut owner = path.clone();
    let last = owner.segments.pop()?.ident;
    owner.segments.pop_punct();
    Some((owner, last))
}
