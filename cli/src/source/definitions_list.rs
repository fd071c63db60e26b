//! Reads the list of kinds in `definitions()` of the API crate.

use syn::{Expr, punctuated::Punctuated, spanned::Spanned};

use super::{
    Diagnostic, attributes, cfg,
    instances::Builder,
    resolve::{Entity, Namespace},
    tree::{BindingTarget, CrateId, FileId, ItemContent, ItemId, ModuleId},
};

impl<'t> Builder<'t> {
    /// Returns the listed kinds in order. Warns about kinds that are not listed.
    pub(super) fn listed(&mut self, krate: CrateId) -> Vec<ItemId> {
        let root = self.tree.crates[krate.0].root;
        let file = self.tree.module(root).file;
        let Some(function) = self.function(root) else {
            let path = &self.tree.files[file.0].path;
            self.findings.reason(super::FallbackReason {
                path: path.clone(),
                line: 0,
                text: "no function `definitions()` in the crate root".to_owned(),
            });
            return Vec::new();
        };
        let Some(elements) = elements(function) else {
            let text = "`definitions()` is not a plain list of `Kind::definition()` calls";
            let reason = self.tree.reason(file, function.sig.ident.span(), text);
            self.findings.reason(reason);
            return Vec::new();
        };
        let kinds: Vec<Option<ItemId>> = elements
            .iter()
            .map(|element| self.kind(root, file, element))
            .collect();
        // An unknown element may be any kind.
        if kinds.iter().all(Option::is_some) {
            self.warn_of_missing(krate, &kinds);
        }
        kinds.into_iter().flatten().collect()
    }

    fn function(&mut self, root: ModuleId) -> Option<&'t syn::ItemFn> {
        let bindings = self.tree.module(root).names.get("definitions")?;
        let (id, condition) = bindings.iter().find_map(|binding| match binding.target {
            BindingTarget::Item(id) => Some((id, binding.condition)),
            _ => None,
        })?;
        if let Some(condition) = condition {
            self.findings
                .reason(attributes::conditional(self.tree, condition));
        }
        match &self.tree.item(id).content {
            ItemContent::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Resolves `path::Kind::definition()`.
    fn kind(&mut self, root: ModuleId, file: FileId, element: &Expr) -> Option<ItemId> {
        let text = match kind_path(element) {
            None => {
                let text = cfg::tidy(&quote::ToTokens::to_token_stream(element));
                format!("`{text}` in `definitions()` is not a `Kind::definition()` call")
            }
            Some(path) => match self.resolver.resolve_path(root, &path, Namespace::Type) {
                Ok(found) => {
                    if let Some(condition) = found.condition {
                        self.findings
                            .reason(attributes::conditional(self.tree, condition));
                    }
                    match found.entity {
                        Entity::Kind(id) => return Some(id),
                        _ => format!(
                            "`{}` in `definitions()` is not a kind",
                            cfg::path_text(&path)
                        ),
                    }
                }
                Err(error) => format!(
                    "`{}` in `definitions()`: {}",
                    cfg::path_text(&path),
                    error.text()
                ),
            },
        };
        let reason = self.tree.reason(file, element.span(), text);
        self.findings.reason(reason);
        None
    }

    fn warn_of_missing(&mut self, krate: CrateId, listed: &[Option<ItemId>]) {
        let root = self.tree.crates[krate.0].root;
        let lib = &self.tree.files[self.tree.module(root).file.0].path;
        let missing = self.tree.items.iter().enumerate().filter_map(|(position, item)| {
            let ItemContent::Resource(resource) = &item.content else {
                return None;
            };
            let module = self.tree.module(item.module);
            let is_missing = module.krate == krate && !listed.contains(&Some(ItemId(position)));
            is_missing.then(|| {
                let (kind, version) = (&resource.resource.kind, &resource.resource.version);
                let path = self.tree.module_path(item.module);
                let path = path.split_once("::").map_or("", |(_, path)| path);
                let message =
                    format!("{kind} ({version}) is not listed in `definitions()` of {lib}, so no CRD is generated");
                let help = format!("add `{path}::{kind}::definition()` to the list");
                self.tree.diagnostic(module.file, item.ident.span(), message, Some(help))
            })
        });
        let missing: Vec<Diagnostic> = missing.collect();
        self.findings.warnings.extend(missing);
    }
}

/// Returns the elements of the list that a function consists of.
fn elements(function: &syn::ItemFn) -> Option<Vec<Expr>> {
    let [syn::Stmt::Expr(result, None)] = &function.block.stmts[..] else {
        // syn parses `vec! {}` as a statement.
        return match &function.block.stmts[..] {
            [syn::Stmt::Macro(statement)] if statement.semi_token.is_none() => {
                of_macro(&statement.mac)
            }
            _ => None,
        };
    };
    of_expression(result)
}

fn of_expression(expression: &Expr) -> Option<Vec<Expr>> {
    match expression {
        Expr::Paren(inner) => of_expression(&inner.expr),
        Expr::Array(array) => Some(array.elems.iter().cloned().collect()),
        Expr::Macro(call) => of_macro(&call.mac),
        Expr::Call(call) => {
            let Expr::Path(function) = &*call.func else {
                return None;
            };
            match (cfg::path_text(&function.path).as_str(), call.args.first()) {
                ("Vec::new", None) => Some(Vec::new()),
                ("Vec::from", Some(Expr::Array(array))) => {
                    Some(array.elems.iter().cloned().collect())
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn of_macro(call: &syn::Macro) -> Option<Vec<Expr>> {
    if !call.path.is_ident("vec") {
        return None;
    }
    let listed = Punctuated::<Expr, syn::Token![,]>::parse_terminated;
    let elements = call.parse_body_with(listed).ok()?;
    Some(elements.into_iter().collect())
}

/// Returns the `path::Kind` of `path::Kind::definition()`.
fn kind_path(element: &Expr) -> Option<syn::Path> {
    let Expr::Call(call) = element else {
        return None;
    };
    let Expr::Path(function) = &*call.func else {
        return None;
    };
    if !call.attrs.is_empty() || !call.args.is_empty() || function.qself.is_some() {
        return None;
    }
    let mut path = function.path.clone();
    let last = path.segments.pop()?;
    path.segments.pop_punct();
    (last.ident == "definition" && !path.segments.is_empty()).then_some(path)
}
