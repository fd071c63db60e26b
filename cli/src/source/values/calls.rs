//! Calls whose result is known: conversions of text, constructors of Rust's own types, newtypes and variants.

use kb_model::api::{Shape, Type};
use serde_json::{Map, Value};
use syn::Expr;

use super::{
    super::{
        instances::Builder,
        resolve::{Entity, Namespace},
        type_resolution::Scope,
    },
    expression::split_last,
};

/// `k8s_openapi`'s newtype of a string.
const QUANTITY: &str = "k8s_openapi::apimachinery::pkg::api::resource::Quantity";
/// `k8s_openapi`'s enum of two newtypes.
const INT_OR_STRING: &str = "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString";

impl Builder<'_> {
    /// `"text".to_owned()` and its like.
    pub(super) fn method(
        &mut self,
        call: &syn::ExprMethodCall,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let is_conversion = ["to_string", "to_owned", "into", "clone"]
            .iter()
            .any(|name| call.method == name);
        let is_plain = call.args.is_empty() && call.turbofish.is_none();
        if !is_conversion || !is_plain {
            return None;
        }
        match expected {
            Type::String => self.value(&call.receiver, expected, scope),
            Type::Integer { .. } if call.method == "into" => {
                self.value(&call.receiver, expected, scope)
            }
            _ => None,
        }
    }

    /// A call of a function, a newtype or a variant.
    pub(super) fn call(
        &mut self,
        call: &syn::ExprCall,
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let Expr::Path(function) = &*call.func else {
            return None;
        };
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if function.qself.is_some() {
            return None;
        }
        match self
            .resolver
            .path(scope.module, &function.path, Namespace::Value)
        {
            Ok(found) if found.condition.is_some() => None,
            Ok(found) => match found.entity {
                Entity::Foreign(path) => self.foreign_call(&path, &arguments, expected, scope),
                Entity::Item(id) => {
                    let Type::Ref(ty) = expected else { return None };
                    let (item, _) = self.item_of(ty)?;
                    (item == id).then(|| self.newtype(expected, &arguments, scope))?
                }
                Entity::Variant(id, position) => {
                    self.newtype_variant(id, position, expected, &arguments, scope)
                }
                _ => None,
            },
            Err(_) => self.call_of_type(&function.path, &arguments, expected, scope),
        }
    }

    /// `T::default()`, `Self(..)` and the variants of an alias.
    fn call_of_type(
        &mut self,
        path: &syn::Path,
        arguments: &[&Expr],
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        if path.is_ident("Self") {
            return (scope.own.as_ref() == Some(expected))
                .then(|| self.newtype(expected, arguments, scope))?;
        }
        let (owner, last) = split_last(path)?;
        if last == "default" && arguments.is_empty() {
            let owner = syn::TypePath {
                attrs: Vec::new(),
                qself: None,
                path: owner,
            };
            let owner = self.quietly(|builder| builder.ty(&syn::Type::Path(owner), scope).ok())?;
            return (owner == *expected).then(|| self.zero(expected))?;
        }
        let (id, position) = self.variant_in(&owner, &last, expected, scope)?;
        self.newtype_variant(id, position, expected, arguments, scope)
    }

    /// A call of something that Rust or Kubernetes has.
    fn foreign_call(
        &mut self,
        path: &str,
        arguments: &[&Expr],
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let (owner, function) = path.rsplit_once("::")?;
        match (owner, function, arguments, expected) {
            ("std::option::Option", "Some", [inner], Type::Optional(ty)) => {
                self.value(inner, ty, scope)
            }
            (
                "std::boxed::Box" | "std::rc::Rc" | "std::sync::Arc" | "std::borrow::Cow",
                "new" | "from" | "Owned" | "Borrowed",
                [inner],
                _,
            )
            | ("std::string::String", "from", [inner], Type::String)
            | ("std::vec::Vec" | "std::collections::VecDeque", "from", [inner], Type::List(_))
            | ("std::collections::BTreeSet", "from", [inner], Type::Set(_)) => {
                self.value(inner, expected, scope)
            }
            ("std::string::String", "new", [], Type::String)
            | ("std::vec::Vec" | "std::collections::VecDeque", "new", [], Type::List(_))
            | (
                "std::collections::BTreeSet" | "std::collections::HashSet",
                "new",
                [],
                Type::Set(_),
            )
            | (
                "std::collections::BTreeMap" | "std::collections::HashMap",
                "new",
                [],
                Type::Map(_),
            )
            | ("std::default::Default", "default", [], _) => self.zero(expected),
            (owner, "default", [], _) if is_std_owner(owner, expected) => self.zero(expected),
            (
                "std::collections::BTreeMap" | "std::collections::HashMap",
                "from",
                [Expr::Array(pairs)],
                Type::Map(value),
            ) => self.map(pairs, value, scope),
            _ => self.kubernetes_call(path, arguments, expected, scope),
        }
    }

    /// `Quantity("1Gi".into())` and `IntOrString::Int(80)`.
    fn kubernetes_call(
        &mut self,
        path: &str,
        arguments: &[&Expr],
        expected: &Type,
        scope: &Scope,
    ) -> Option<Value> {
        let ([inner], Type::Core(component)) = (arguments, expected) else {
            return None;
        };
        let is = |rust: &str| {
            kb_model::core_types::component(rust).is_some_and(|known| known == component)
        };
        let integer = Type::Integer {
            bits: 32,
            signed: true,
        };
        if path == QUANTITY && is(QUANTITY) {
            return self.value(inner, &Type::String, scope);
        }
        match path
            .strip_prefix(INT_OR_STRING)
            .filter(|_| is(INT_OR_STRING))?
        {
            "::Int" => self.value(inner, &integer, scope),
            "::String" => self.value(inner, &Type::String, scope),
            _ => None,
        }
    }

    /// `[(key, value), ..]`.
    fn map(&mut self, pairs: &syn::ExprArray, value: &Type, scope: &Scope) -> Option<Value> {
        let mut map = Map::new();
        for pair in &pairs.elems {
            let Expr::Tuple(pair) = pair else { return None };
            let mut parts = pair.elems.iter();
            let (key, content) = (parts.next()?, parts.next()?);
            let key = self.value(key, &Type::String, scope)?;
            let content = self.value(content, value, scope)?;
            map.insert(key.as_str()?.to_owned(), content);
        }
        Some(Value::Object(map))
    }

    /// What `Default` gives.
    fn zero(&self, ty: &Type) -> Option<Value> {
        Some(match ty {
            Type::Bool => false.into(),
            Type::Integer { .. } => 0.into(),
            Type::Float => 0.0.into(),
            Type::String => "".into(),
            Type::Any | Type::Optional(_) => Value::Null,
            Type::List(_) | Type::Set(_) => Value::Array(Vec::new()),
            Type::Map(_) => Value::Object(Map::new()),
            Type::Ref(id) => {
                let (object, _) = self.object_of(id)?;
                let (Shape::Choice(_), syn::Item::Enum(data)) = (&object.def.shape, &object.item)
                else {
                    return None;
                };
                let position = data.variants.iter().position(|variant| {
                    let mut attributes = variant.attrs.iter();
                    attributes.any(|attribute| attribute.path().is_ident("default"))
                })?;
                let (item, _) = self.item_of(id)?;
                return self.unit_variant(item, position, ty);
            }
            Type::Array(..) | Type::Core(_) | Type::Raw(_) => return None,
        })
    }

    /// Does something without noting what is found on the way.
    pub(super) fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let findings = std::mem::take(&mut self.findings);
        let result = work(self);
        self.findings = findings;
        result
    }
}

/// Whether a type of Rust is that of the value.
fn is_std_owner(owner: &str, expected: &Type) -> bool {
    use super::super::known::{self, Known};
    match (known::of(owner), expected) {
        (Some(Known::Plain(ty)), expected) => ty == *expected,
        (Some(Known::Optional), Type::Optional(_))
        | (Some(Known::List), Type::List(_))
        | (Some(Known::Set), Type::Set(_))
        | (Some(Known::Map), Type::Map(_)) => true,
        _ => false,
    }
}
