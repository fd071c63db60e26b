//! Rendering of the embedded templates.
//!
//! The delimiters are `[= =]`, `[% %]` and `[# #]`, because Rust, YAML, Helm and GitHub workflows use braces. Templates are
//! embedded and tested, so a failure to render is a bug in this crate: it panics with Tera's report.

use serde::Serialize;
use tera::{Context, Delimiters, Kwargs, State, Tera};

use crate::layout;

include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// Renders templates, and parses each of them once.
pub struct Templates {
    tera: Tera,
}

impl Default for Templates {
    fn default() -> Self {
        let mut tera = Tera::new();
        tera.set_delimiters(Delimiters {
            block_start: "[%".into(),
            block_end: "%]".into(),
            variable_start: "[=".into(),
            variable_end: "=]".into(),
            comment_start: "[#".into(),
            comment_end: "#]".into(),
        })
        .expect("the delimiters differ from each other");
        tera.autoescape_on(Vec::<&'static str>::new());
        tera.register_function("assign", |arguments: Kwargs, _: &State| {
            tera::TeraResult::Ok(layout::assign(
                arguments.must_get("indent")?,
                arguments.must_get("left")?,
                arguments.must_get("right")?,
            ))
        });
        tera.register_function("method", |arguments: Kwargs, _: &State| {
            let parameters: Vec<String> = arguments.must_get("args")?;
            tera::TeraResult::Ok(layout::method(
                arguments.must_get("indent")?,
                arguments.must_get("name")?,
                &parameters,
            ))
        });
        tera.register_function("import", |arguments: Kwargs, _: &State| {
            let names: Vec<String> = arguments.must_get("names")?;
            tera::TeraResult::Ok(layout::import(arguments.must_get("path")?, &names))
        });
        tera.register_function("if_let", |arguments: Kwargs, _: &State| {
            tera::TeraResult::Ok(layout::if_let(
                arguments.must_get("indent")?,
                arguments.must_get("pattern")?,
                arguments.must_get("value")?,
            ))
        });
        tera.register_function("chain", |arguments: Kwargs, _: &State| {
            let calls: Vec<Vec<String>> = arguments.must_get("calls")?;
            tera::TeraResult::Ok(layout::chain(
                arguments.must_get("indent")?,
                arguments.must_get("left")?,
                arguments.must_get("head")?,
                &calls,
            ))
        });
        tera.register_function("attribute", |arguments: Kwargs, _: &State| {
            let parameters: Vec<String> = arguments.must_get("args")?;
            tera::TeraResult::Ok(layout::attribute(
                arguments.must_get("indent")?,
                arguments.must_get("name")?,
                &parameters,
            ))
        });
        tera.register_function("strings", |arguments: Kwargs, _: &State| {
            let literals: Vec<String> = arguments.must_get("literals")?;
            tera::TeraResult::Ok(layout::strings(
                arguments.must_get("indent")?,
                arguments.must_get("name")?,
                &literals,
            ))
        });
        tera.register_function("signature", |arguments: Kwargs, _: &State| {
            let parameters: Vec<String> = arguments.must_get("args")?;
            tera::TeraResult::Ok(layout::signature(
                arguments.must_get("head")?,
                &parameters,
                arguments.must_get("tail")?,
            ))
        });
        Self { tera }
    }
}

impl Templates {
    /// Returns the ids of all templates, sorted.
    pub fn ids() -> impl Iterator<Item = &'static str> {
        TEMPLATES.iter().map(|(id, _)| *id)
    }

    /// Renders the template `id`.
    ///
    /// # Panics
    ///
    /// If the template does not exist or uses a name that the context lacks.
    pub fn render(&mut self, id: &str, context: &impl Serialize) -> String {
        if !self.tera.contains_template(id) {
            let source = Self::source(id).unwrap_or_else(|| panic!("no template {id:?}"));
            self.tera
                .add_raw_template(id, source)
                .unwrap_or_else(|error| panic!("template {id}: {error}"));
        }
        let context = Context::from_serialize(context).expect("contexts are structs");
        self.tera
            .render(id, &context)
            .unwrap_or_else(|error| panic!("template {id}: {error}"))
    }

    /// Returns the source of the template `id`.
    pub fn source(id: &str) -> Option<&'static str> {
        TEMPLATES
            .binary_search_by_key(&id, |(known, _)| known)
            .ok()
            .map(|index| TEMPLATES[index].1)
    }
}
