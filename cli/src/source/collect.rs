//! From the items of a module to the names that it has.

use std::rc::Rc;

use syn::{Attribute, Ident, UseTree, ext::IdentExt};

use super::{
    files::Loader,
    module_files::Folders,
    outline::{Declared, Form, Visible},
    tree::{
        Binding, ConditionId, Content, Glob, Import, Item, ItemId, ModuleId, Target, Visibility,
    },
};

impl Loader<'_> {
    /// Declares the items of a module.
    pub(super) fn declare_all(
        &mut self,
        module: ModuleId,
        folders: &Folders,
        items: Vec<syn::Item>,
        condition: Option<ConditionId>,
    ) {
        let first = self.left_to_others.len();
        for item in items {
            let file = self.tree.module(module).file;
            if let Ok(own) = self.condition(file, attributes(&item)) {
                self.declare(module, folders, item, condition.or(own));
            }
        }
        // Own files first: the others wait for them, as this thread does now.
        for child in self.left_to_others.split_off(first) {
            self.child_of_another(module, child);
        }
    }

    /// Declares what the outline of a file says.
    pub(super) fn declare_outline(&mut self, module: ModuleId, outline: &[Declared]) {
        for declared in outline {
            let visibility = self.within(module, declared.visibility);
            match &declared.form {
                Form::Item(name) => {
                    self.declare_elsewhere(module, name, visibility);
                }
                Form::Kind(name, kind) => {
                    let item = self.declare_elsewhere(module, name, visibility);
                    self.bind(module, kind.clone(), Target::Kind(item), visibility, None);
                }
                Form::Import {
                    name,
                    absolute,
                    segments,
                } => {
                    let import = Import {
                        absolute: *absolute,
                        segments: segments.clone(),
                    };
                    self.import(module, name.clone(), import, visibility, None);
                }
            }
        }
    }

    fn declare_elsewhere(
        &mut self,
        module: ModuleId,
        name: &str,
        visibility: Visibility,
    ) -> ItemId {
        let id = ItemId(self.tree.items.len());
        self.tree.items.push(Item {
            module,
            ident: Ident::new("elsewhere", proc_macro2::Span::call_site()),
            visibility,
            condition: None,
            content: Content::Elsewhere,
        });
        self.bind(module, name.to_owned(), Target::Item(id), visibility, None);
        id
    }

    fn declare(
        &mut self,
        module: ModuleId,
        folders: &Folders,
        item: syn::Item,
        condition: Option<ConditionId>,
    ) {
        if !matches!(
            item,
            syn::Item::Struct(_) | syn::Item::Enum(_) | syn::Item::Union(_)
        ) {
            self.refuse_attributes(module, &item);
        }
        match item {
            syn::Item::Mod(child) => {
                let (name, vis) = (child.ident.unraw().to_string(), child.vis.clone());
                if let Some(id) = self.child(module, folders, child, condition) {
                    let visibility = self.visibility(module, &vis);
                    self.bind(module, name, Target::Module(id), visibility, condition);
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
            syn::Item::Impl(block) => self.note_impl(module, &block),
            syn::Item::Macro(call) => self.note_macro(module, &call),
            item => self.declare_item(module, item, condition),
        }
    }

    /// Declares an item with a name.
    fn declare_item(&mut self, module: ModuleId, item: syn::Item, condition: Option<ConditionId>) {
        let (ident, vis, content) = match item {
            syn::Item::Struct(data) => (
                data.ident.clone(),
                data.vis.clone(),
                Content::Data(Box::new(syn::Item::Struct(data))),
            ),
            syn::Item::Enum(data) => (
                data.ident.clone(),
                data.vis.clone(),
                Content::Data(Box::new(syn::Item::Enum(data))),
            ),
            syn::Item::Union(data) => (
                data.ident.clone(),
                data.vis.clone(),
                Content::Data(Box::new(syn::Item::Union(data))),
            ),
            syn::Item::Type(alias) => (
                alias.ident.clone(),
                alias.vis.clone(),
                Content::Alias(Box::new(alias)),
            ),
            syn::Item::Const(constant) => (
                constant.ident.clone(),
                constant.vis.clone(),
                Content::Constant(Box::new(constant)),
            ),
            syn::Item::Fn(function) => (
                function.sig.ident.clone(),
                function.vis.clone(),
                Content::Function(Box::new(function)),
            ),
            syn::Item::Trait(item) => (item.ident, item.vis, Content::OtherType),
            syn::Item::TraitAlias(item) => (item.ident, item.vis, Content::OtherType),
            syn::Item::Static(item) => (item.ident, item.vis, Content::OtherValue),
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
        self.bind(module, name, Target::Item(id), visibility, condition);
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
                let target = Target::Import(Rc::new(import));
                self.bind(module, name, target, visibility, condition);
            }
            None => self.tree.modules[module.0].globs.push(Glob {
                import,
                visibility,
                condition,
            }),
        }
    }

    pub(super) fn bind(
        &mut self,
        module: ModuleId,
        name: String,
        target: Target,
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

    /// `impl Schema for X`: the schema of `X` is written by hand.
    fn note_impl(&mut self, module: ModuleId, block: &syn::ItemImpl) {
        if let (true, syn::Type::Path(ty)) = (is_schema(block), &*block.self_ty)
            && let Some(last) = ty.path.segments.last()
        {
            let krate = self.tree.module(module).krate;
            let name = last.ident.to_string();
            self.tree.crates[krate.0].by_hand.push(name);
        }
    }

    /// A macro that is called where items stand may make any item.
    fn note_macro(&mut self, module: ModuleId, call: &syn::ItemMacro) {
        if call.mac.path.is_ident("macro_rules") {
            return;
        }
        let krate = self.tree.module(module).krate;
        self.tree.crates[krate.0].has_item_macros = true;
        let name = super::cfg::path_text(&call.mac.path);
        self.tree.modules[module.0].macros.push(name);
    }

    /// kb's attributes stand on structs and enums only; markers has the words.
    fn refuse_attributes(&mut self, module: ModuleId, item: &syn::Item) {
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
            let (message, help) = super::annotated::split(&error);
            let diagnostic = self.tree.diagnostic(file, span, message, help);
            self.findings.error(diagnostic);
        }
    }

    /// Who sees an item of `module`.
    pub(super) fn visibility(&self, module: ModuleId, vis: &syn::Visibility) -> Visibility {
        self.within(module, Visible::of(vis))
    }

    fn within(&self, module: ModuleId, visible: Visible) -> Visibility {
        match visible {
            Visible::Everybody => Visibility::Public,
            Visible::Crate => Visibility::Within(self.tree.crate_of(module).root),
            Visible::Parent => {
                Visibility::Within(self.tree.module(module).parent.unwrap_or(module))
            }
            Visible::Module => Visibility::Within(module),
        }
    }
}

/// The names that a `use` makes, none for `*`, each with its path.
pub(super) fn flatten(
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

/// Whether this is an `impl Schema for X`.
pub(super) fn is_schema(block: &syn::ItemImpl) -> bool {
    let path = block.trait_.as_ref().map(|(path, _)| path);
    path.and_then(|path| path.segments.last())
        .is_some_and(|last| last.ident == "Schema")
}

/// The attributes of an item.
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
