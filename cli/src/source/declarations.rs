//! Declares the items and imports of a module.

use std::rc::Rc;

use syn::{Attribute, Ident, UseTree, ext::IdentExt};

use super::{
    loader::Loader,
    module_dirs::ModuleDirs,
    tree::{
        Binding, BindingTarget, ConditionId, Glob, Import, Item, ItemContent, ItemId, ModuleId,
        Visibility,
    },
};

impl Loader<'_> {
    /// Declares the items of a module.
    pub(super) fn declare_all(
        &mut self,
        module: ModuleId,
        dirs: &ModuleDirs,
        items: Vec<syn::Item>,
        condition: Option<ConditionId>,
    ) {
        for item in items {
            let file = self.tree.module(module).file;
            if let Ok(own) = self.condition(file, attributes(&item)) {
                self.declare(module, dirs, item, condition.or(own));
            }
        }
    }

    fn declare(
        &mut self,
        module: ModuleId,
        dirs: &ModuleDirs,
        item: syn::Item,
        condition: Option<ConditionId>,
    ) {
        if !matches!(
            item,
            syn::Item::Struct(_) | syn::Item::Enum(_) | syn::Item::Union(_)
        ) {
            self.reject_attributes(module, &item);
        }
        match item {
            syn::Item::Mod(child) => {
                let (name, vis) = (child.ident.unraw().to_string(), child.vis.clone());
                if let Some(id) = self.child(module, dirs, child, condition) {
                    let visibility = self.visibility(module, &vis);
                    self.bind(
                        module,
                        name,
                        BindingTarget::Module(id),
                        visibility,
                        condition,
                    );
                }
            }
            syn::Item::Use(import) => {
                let visibility = self.visibility(module, &import.vis);
                let absolute = import.leading_colon.is_some();
                let mut names = Vec::new();
                flatten(&import.tree, &mut Vec::new(), &mut names);
                for (name, segments) in names {
                    let import = Import { absolute, segments };
                    self.import(module, name, import, visibility, condition);
                }
            }
            syn::Item::ExternCrate(import) => {
                let name = import.ident.unraw().to_string();
                let rename = import
                    .rename
                    .as_ref()
                    .map(|(_, rename)| rename.unraw().to_string());
                let visibility = self.visibility(module, &import.vis);
                let absolute = name != "self";
                let segments = vec![if absolute {
                    name.clone()
                } else {
                    "crate".to_owned()
                }];
                let import = Import { absolute, segments };
                self.import(module, rename.or(Some(name)), import, visibility, condition);
            }
            syn::Item::Impl(block) => self.record_impl(module, &block),
            syn::Item::Macro(call) => self.record_macro(module, &call),
            item => self.declare_item(module, item, condition),
        }
    }

    /// Declares a named item.
    fn declare_item(&mut self, module: ModuleId, item: syn::Item, condition: Option<ConditionId>) {
        let (ident, vis, content) = match item {
            syn::Item::Struct(data) => (
                data.ident.clone(),
                data.vis.clone(),
                ItemContent::Data(Box::new(syn::Item::Struct(data))),
            ),
            syn::Item::Enum(data) => (
                data.ident.clone(),
                data.vis.clone(),
                ItemContent::Data(Box::new(syn::Item::Enum(data))),
            ),
            syn::Item::Union(data) => (
                data.ident.clone(),
                data.vis.clone(),
                ItemContent::Data(Box::new(syn::Item::Union(data))),
            ),
            syn::Item::Type(alias) => (
                alias.ident.clone(),
                alias.vis.clone(),
                ItemContent::Alias(Box::new(alias)),
            ),
            syn::Item::Const(constant) => (
                constant.ident.clone(),
                constant.vis.clone(),
                ItemContent::Constant(Box::new(constant)),
            ),
            syn::Item::Fn(function) => (
                function.sig.ident.clone(),
                function.vis.clone(),
                ItemContent::Function(Box::new(function)),
            ),
            syn::Item::Trait(item) => (item.ident, item.vis, ItemContent::OtherType),
            syn::Item::TraitAlias(item) => (item.ident, item.vis, ItemContent::OtherType),
            syn::Item::Static(item) => (item.ident, item.vis, ItemContent::OtherValue),
            _ => return,
        };
        let visibility = self.visibility(module, &vis);
        let id = ItemId(self.tree.items.len());
        let name = ident.unraw().to_string();
        self.tree.items.push(Item {
            module,
            ident,
            visibility,
            condition,
            content,
        });
        self.bind(module, name, BindingTarget::Item(id), visibility, condition);
    }

    fn import(
        &mut self,
        module: ModuleId,
        name: Option<String>,
        import: Import,
        visibility: Visibility,
        condition: Option<ConditionId>,
    ) {
        match name {
            Some(name) => {
                let target = BindingTarget::Import(Rc::new(import));
                self.bind(module, name, target, visibility, condition);
            }
            None => self.tree.modules[module.0].globs.push(Glob {
                import,
                visibility,
                condition,
            }),
        }
    }

    fn bind(
        &mut self,
        module: ModuleId,
        name: String,
        target: BindingTarget,
        visibility: Visibility,
        condition: Option<ConditionId>,
    ) {
        let binding = Binding {
            target,
            visibility,
            condition,
        };
        let names = &mut self.tree.modules[module.0].names;
        names.entry(name).or_default().push(binding);
    }

    /// Records `impl Schema for X`.
    fn record_impl(&mut self, module: ModuleId, block: &syn::ItemImpl) {
        if let (true, syn::Type::Path(ty)) = (is_schema(block), &*block.self_ty)
            && let Some(last) = ty.path.segments.last()
        {
            let krate = self.tree.module(module).krate;
            let name = last.ident.to_string();
            self.tree.crates[krate.0].manual_schemas.push(name);
        }
    }

    /// Records a macro call in item position: it may expand to any item.
    fn record_macro(&mut self, module: ModuleId, call: &syn::ItemMacro) {
        if call.mac.path.is_ident("macro_rules") {
            return;
        }
        let krate = self.tree.module(module).krate;
        self.tree.crates[krate.0].has_item_macros = true;
        let name = super::cfg::path_text(&call.mac.path);
        self.tree.modules[module.0].macros.push(name);
    }

    /// Reports an attribute of kb on anything but a struct or an enum.
    fn reject_attributes(&mut self, module: ModuleId, item: &syn::Item) {
        let Some(attribute) = attributes(item)
            .iter()
            .find(|attribute| kb_markers::kb_attribute(attribute).is_some())
        else {
            return;
        };
        let tokens = proc_macro2::TokenStream::new();
        let Err(errors) = kb_markers::read_object(tokens, item.clone()) else {
            return;
        };
        let file = self.tree.module(module).file;
        let span = attribute.pound_token.span;
        for error in errors {
            let (message, help) = super::attributes::split(&error);
            let diagnostic = self.tree.diagnostic(file, span, message, help);
            self.findings.error(diagnostic);
        }
    }

    /// Returns the visibility of an item in `module`.
    fn visibility(&self, module: ModuleId, visibility: &syn::Visibility) -> Visibility {
        match visibility {
            syn::Visibility::Public(_) => Visibility::Public,
            syn::Visibility::Restricted(restricted) => match restricted.path.get_ident() {
                Some(ident) if ident == "super" => {
                    Visibility::Within(self.tree.module(module).parent.unwrap_or(module))
                }
                Some(ident) if ident == "self" => Visibility::Within(module),
                _ => Visibility::Within(self.tree.crate_of(module).root),
            },
            syn::Visibility::Inherited => Visibility::Within(module),
        }
    }
}

/// Lists the names that a `use` imports, `None` for a glob, each with its path.
fn flatten(
    tree: &UseTree,
    before: &mut Vec<String>,
    names: &mut Vec<(Option<String>, Vec<String>)>,
) {
    let with = |before: &[String], last: &Ident| -> Vec<String> {
        let last = last.unraw().to_string();
        // `use a::{self}` is `use a`.
        let own = (last != "self" || before.is_empty()).then_some(last);
        before.iter().cloned().chain(own).collect()
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.unraw().to_string());
            flatten(&path.tree, before, names);
            before.pop();
        }
        UseTree::Name(name) => {
            let segments = with(before, &name.ident);
            names.push((segments.last().cloned(), segments));
        }
        UseTree::Rename(name) => {
            let segments = with(before, &name.ident);
            if name.rename != "_" {
                names.push((Some(name.rename.unraw().to_string()), segments));
            }
        }
        UseTree::Glob(_) => names.push((None, before.clone())),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, names);
            }
        }
    }
}

/// Returns whether this is an `impl Schema for X`.
fn is_schema(block: &syn::ItemImpl) -> bool {
    let path = block.trait_.as_ref().map(|(path, _)| path);
    path.and_then(|path| path.segments.last())
        .is_some_and(|last| last.ident == "Schema")
}

/// Returns the attributes of an item.
pub(super) fn attributes(item: &syn::Item) -> &[Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::ExternCrate(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::ForeignMod(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::TraitAlias(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Union(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
