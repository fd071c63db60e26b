//! Defaults that can be evaluated without a compiler.

use serde_json::{Map, Value};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprMacro, ExprMethodCall, Lit, Path, Token, UnOp};

use crate::json_literal::from_digits;
use crate::type_syntax::Form;

/// Returns the JSON of an expression for a field of this form, or `None` if only the compiler can evaluate it.
pub(crate) fn value(expression: &Expr, form: Form) -> Option<Value> {
    match expression {
        Expr::Group(group) => value(&group.expr, form),
        Expr::Paren(paren) => value(&paren.expr, form),
        Expr::Lit(literal) => literal_value(&literal.lit, false),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match &*unary.expr {
            Expr::Lit(literal) => literal_value(&literal.lit, true),
            _ => None,
        },
        Expr::Reference(reference) => value(&reference.expr, form),
        Expr::Array(array) => list(&array.elems),
        Expr::Macro(mac) => vec_macro(mac),
        Expr::Path(path) if is_of_option(&path.path, "None") => Some(Value::Null),
        Expr::Call(call) => call_value(call, form),
        Expr::MethodCall(call) => method_value(call, form),
        _ => None,
    }
}

fn literal_value(literal: &Lit, negative: bool) -> Option<Value> {
    match literal {
        // Ignores the suffix: `1u32` is 1.
        Lit::Int(number) => from_digits(number.base10_digits(), negative).map(Value::Number),
        Lit::Float(number) => from_digits(number.base10_digits(), negative).map(Value::Number),
        _ if negative => None,
        Lit::Str(text) => Some(text.value().into()),
        Lit::Char(letter) => Some(letter.value().to_string().into()),
        Lit::Bool(flag) => Some(flag.value.into()),
        Lit::Byte(byte) => Some(byte.value().into()),
        _ => None,
    }
}

fn list(elements: &Punctuated<Expr, Token![,]>) -> Option<Value> {
    let values = elements.iter().map(|element| value(element, Form::Unknown));
    values.collect::<Option<Vec<Value>>>().map(Value::Array)
}

fn vec_macro(expression: &ExprMacro) -> Option<Value> {
    if !ends_with(&expression.mac.path, &["vec"]) {
        return None;
    }
    let elements = Punctuated::<Expr, Token![,]>::parse_terminated
        .parse2(expression.mac.tokens.clone())
        .ok()?;
    list(&elements)
}

fn call_value(call: &ExprCall, form: Form) -> Option<Value> {
    let Expr::Path(function) = &*call.func else {
        return None;
    };
    let function = &function.path;
    match call.args.first() {
        Some(argument) if call.args.len() == 1 => {
            if is_of_option(function, "Some") {
                return value(argument, form);
            }
            let text = value(argument, form).filter(Value::is_string);
            text.filter(|_| ends_with(function, &["String", "from"]))
        }
        None if ends_with(function, &["String", "new"]) => Some(String::new().into()),
        None if new_of(function, &["Vec", "VecDeque", "BTreeSet", "HashSet"]) => {
            Some(Value::Array(Vec::new()))
        }
        None if new_of(function, &["BTreeMap", "HashMap"]) => Some(Value::Object(Map::new())),
        _ => None,
    }
}

/// A string literal converted to `String`. Only if the field is one, since `into` could produce anything.
fn method_value(call: &ExprMethodCall, form: Form) -> Option<Value> {
    let method = call.method.to_string();
    let plain = ["to_string", "to_owned", "into"].contains(&method.as_str());
    if !plain || !call.args.is_empty() || (method == "into" && !matches!(form, Form::Text)) {
        return None;
    }
    value(&call.receiver, form).filter(Value::is_string)
}

fn new_of(path: &Path, types: &[&str]) -> bool {
    types.iter().any(|name| ends_with(path, &[name, "new"]))
}

/// Returns whether this is a variant of `Option`, and not another type's, such as `Level::None`.
fn is_of_option(path: &Path, variant: &str) -> bool {
    path.is_ident(variant) || ends_with(path, &["Option", variant])
}

fn ends_with(path: &Path, names: &[&str]) -> bool {
    let segments: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    segments.len() >= names.len()
        && segments[segments.len() - names.len()..]
            .iter()
            .zip(names)
            .all(|(segment, name)| segment == name)
}
