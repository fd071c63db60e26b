//! Binds generic arguments to parameters.

use std::rc::Rc;

use kb_model::api::Type;
use proc_macro2::Span;
use syn::{GenericArgument, GenericParam, PathArguments, spanned::Spanned};

use super::{
    instances::Builder,
    type_resolution::{Argument, Arguments, Reported, Scope},
};

impl Builder<'_> {
    /// Binds the parameters of a declaration to `written` arguments or their defaults.
    pub(super) fn arguments(
        &mut self,
        generics: &syn::Generics,
        written: &PathArguments,
        used_in: &Scope,
        declared_in: &Scope,
        at: &syn::TypePath,
    ) -> Result<Vec<(String, Argument)>, Reported> {
        let mut given = given(written).into_iter();
        let mut arguments: Vec<(String, Argument)> = Vec::new();
        for parameter in &generics.params {
            let declared = Scope {
                arguments: Rc::new(arguments.iter().cloned().collect::<Arguments>()),
                ..declared_in.clone()
            };
            let (name, argument) = match parameter {
                GenericParam::Lifetime(_) => continue,
                GenericParam::Type(parameter) => {
                    let ty = match (given.next(), &parameter.default) {
                        (Some(GenericArgument::Type(ty)), _) => self.ty(ty, used_in)?,
                        (None, Some((_, ty))) => self.ty(ty, &declared)?,
                        _ => return self.no_argument(&parameter.ident, used_in, at.span()),
                    };
                    (parameter.ident.to_string(), Argument::Type(ty))
                }
                GenericParam::Const(parameter) => {
                    let number = match (given.next(), &parameter.default) {
                        (Some(GenericArgument::Const(number)), _) => {
                            self.length(number, used_in)?
                        }
                        (Some(GenericArgument::Type(syn::Type::Path(path))), _) => {
                            let number = syn::ExprPath {
                                attrs: Vec::new(),
                                qself: path.qself.clone(),
                                path: path.path.clone(),
                            };
                            self.length(&syn::Expr::Path(number), used_in)?
                        }
                        (None, Some((_, number))) => self.length(number, &declared)?,
                        _ => return self.no_argument(&parameter.ident, used_in, at.span()),
                    };
                    (parameter.ident.to_string(), Argument::Number(number))
                }
            };
            arguments.push((name, argument));
        }
        Ok(arguments)
    }

    fn no_argument<T>(
        &mut self,
        parameter: &syn::Ident,
        scope: &Scope,
        span: Span,
    ) -> Result<T, Reported> {
        let text = format!("the argument for `{parameter}` is inferred");
        self.fall_back(scope, span, text)
    }

    /// Evaluates the length of an array.
    pub(super) fn length(&mut self, length: &syn::Expr, scope: &Scope) -> Result<u64, Reported> {
        let expected = Type::Integer {
            bits: 64,
            signed: false,
        };
        match self
            .value(length, &expected, scope)
            .and_then(|value| value.as_u64())
        {
            Some(length) => Ok(length),
            None => self.fall_back(
                scope,
                length.span(),
                "the length of this array is computed".to_owned(),
            ),
        }
    }
}

/// Returns the arguments without lifetimes.
fn given(written: &PathArguments) -> Vec<&GenericArgument> {
    match written {
        PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .filter(|argument| {
                matches!(
                    argument,
                    GenericArgument::Type(_) | GenericArgument::Const(_)
                )
            })
            .collect(),
        _ => Vec::new(),
    }
}
