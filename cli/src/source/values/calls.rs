//! Evaluates calls: string conversions, `Some`, newtypes and variants.

use kb_model::{api::Type, core_types};
use serde_json::Value;
use syn::Expr;

use super::super::{
    instances::Builder,
    resolve::{Entity, Namespace},
    type_resolution::Scope,
};

/// A newtype of a string in k8s-openapi.
const QUANTITY: &str = "k8s_openapi::apimachinery::pkg::api::resource::Quantity";
/// An enum of two newtypes in k8s-openapi.
const INT_OR_STRING: &str = "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString";

impl Builder<'_> {
    /// Evaluates `"text".to_owned()` and the like.
    pub(super) fn method(
        &mut self,
        call: &syn::ExprMethodCall,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let is_conversion = ["to_string", "to_owned", "into"]
            .iter()
            .any(|name| call.method == name);
        let is_plain = call.args.is_empty() && call.turbofish.is_none();
        (is_conversion && is_plain && *expected == Type::String)
            .then(|| self.value(&call.receiver, expected, scope))?
    }

    /// Evaluates a call with one argument.
    pub(super) fn call(
        &mut self,
        call: &syn::ExprCall,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let Expr::Path(function) = &*call.func else {
            return None;
        };
        let argument = call.args.first().filter(|_| call.args.len() == 1)?;
        match self.entity(function, Namespace::Value, scope)? {
            Entity::Foreign(path) => self.foreign_call(&path, argument, expected, scope),
            Entity::Item(id) => self.newtype(id, expected, argument, scope),
            Entity::Variant(id, position) => {
                self.newtype_variant(id, position, expected, argument, scope)
            }
            _ => None,
        }
    }

    /// Resolves a path that depends on no `cfg`.
    pub(super) fn entity(
        &self,
        path: &syn::ExprPath,
        namespace: Namespace,
        scope: &Scope,
    ) -> Option<Entity> {
        if path.qself.is_some() {
            return None;
        }
        let resolved = self
            .resolver
            .resolve_path(scope.module, &path.path, namespace)
            .ok()?;
        resolved.condition.is_none().then_some(resolved.entity)
    }

    fn foreign_call(
        &mut self,
        path: &str,
        argument: &Expr,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let is = |rust: &str| matches!(expected, Type::Core(component) if core_types::component(rust) == Some(component));
        let integer = Type::Integer {
            bits: 32,
            signed: true,
        };
        let (owner, name) = path.rsplit_once("::")?;
        match (owner, name, expected) {
            ("std::option::Option", "Some", Type::Optional(inner)) => {
                self.value(argument, inner, scope)
            }
            ("std::string::String", "from", Type::String) => self.value(argument, expected, scope),
            (INT_OR_STRING, "Int", _) if is(INT_OR_STRING) => self.value(argument, &integer, scope),
            (INT_OR_STRING, "String", _) if is(INT_OR_STRING) => {
                self.value(argument, &Type::String, scope)
            }
            _ if path == QUANTITY && is(QUANTITY) => self.value(argument, &Type::String, scope),
            _ => None,
        }
    }
}
