//! Converts Go types to entries of the table, by the rules of controller-gen.
//!
//! A struct is an entry. Other named types (`type Protocol string`) are inlined with their marks, except for items of lists and maps with
//! marks, which are entries, too. An inlined struct passes its properties, required names and map type to the outer one.

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::entry::{Entry, Marks, Property};
use crate::known;
use crate::markers;
use crate::modules::Modules;
use crate::packages::Packages;
use crate::source::{Declaration, Definition, Field};

/// Go types by component.
#[derive(Debug)]
pub(crate) struct Types<'a>(Packages<'a>);

/// A type expression.
#[derive(Debug)]
struct Use {
    kind: String,
    marks: Marks,
}

/// Scope in which names are resolved.
#[derive(Clone, Copy, Debug)]
struct Scope<'a> {
    package: &'a str,
    declaration: &'a Declaration,
}

impl<'a> Types<'a> {
    /// Creates the types of modules.
    pub(crate) fn new(modules: &'a Modules) -> Self {
        Self(Packages::new(modules))
    }

    /// Returns the entry of a component.
    pub(crate) fn entry(&mut self, component: &str) -> Result<Entry> {
        if let Some(entry) = known::entry(component) {
            return Ok(entry);
        }
        let (package, name) = component.rsplit_once('.').context("it has no package")?;
        let package = import_path(package)?;
        let declaration = self.0.declaration(&package, name)?;
        if let Definition::Struct(fields) = &declaration.definition {
            let scope = Scope {
                package: &package,
                declaration: &declaration,
            };
            return self.structure(scope, fields);
        }
        let Use { kind, marks } = self.named(&package, name)?;
        Ok(Entry {
            kind,
            marks,
            ..Entry::default()
        })
    }

    fn structure(&mut self, scope: Scope<'_>, fields: &[Field]) -> Result<Entry> {
        let mut entry = Entry {
            kind: "object".to_owned(),
            marks: markers::keywords(&scope.declaration.markers)?,
            ..Entry::default()
        };
        let mut inlined = Vec::new();
        for field in fields {
            let Some(json) = field.json.as_ref().filter(|json| *json != "-") else {
                continue;
            };
            let used = self.field(scope, field);
            let used = used.with_context(|| format!("field {json} {}", field.go_type))?;
            let (name, options) = json.split_once(',').unwrap_or((json, ""));
            let option = |name| options.split(',').any(|option| option == name);
            if name.is_empty() || option("inline") {
                inlined.push(used.kind);
                continue;
            }
            let property = Property {
                required: markers::required(&field.markers, option("omitempty")),
                kind: used.kind,
                marks: used.marks,
            };
            if !property.required && field.has("k8s:immutable") {
                forbid_removal(&mut entry.marks, name);
            }
            entry.properties.insert(name.to_owned(), property);
        }
        for component in inlined {
            let inner = self.entry(&component)?;
            entry.marks.0.extend(inner.marks.0);
            for (name, property) in inner.properties {
                if entry.properties.contains_key(&name) {
                    bail!("the property {name} of the inlined {component} exists");
                }
                entry.properties.insert(name, property);
            }
        }
        Ok(entry)
    }

    /// Returns the type of a field. Marks of the field take precedence.
    fn field(&mut self, scope: Scope<'_>, field: &Field) -> Result<Use> {
        let mut used = self.used(scope, &field.go_type)?;
        let known = known::entry(&used.kind).unwrap_or_default();
        for (keyword, value) in markers::keywords(&field.markers)?.0 {
            // Skip markers that repeat the type.
            let repeats = match keyword.as_str() {
                "type" => value == known.kind.as_str() || value == used.kind.as_str(),
                keyword => known.marks.0.get(keyword) == Some(&value),
            };
            match keyword.as_str() {
                _ if repeats => {}
                "type" | "format" => bail!("a marker changes the {keyword} of {}", used.kind),
                // Kubernetes has a list type on bytes, which controller-gen and CRDs reject.
                "x-kubernetes-list-type" if !used.kind.starts_with('[') => {}
                _ => {
                    used.marks.0.insert(keyword, value);
                }
            }
        }
        Ok(used)
    }

    /// Resolves a type expression.
    fn used(&mut self, scope: Scope<'_>, go_type: &str) -> Result<Use> {
        if let Some(pointed) = go_type.strip_prefix('*') {
            return self.used(scope, pointed);
        }
        if go_type == "[]byte" {
            return Ok(Use::of("bytes"));
        }
        if let Some(item) = go_type.strip_prefix("[]") {
            let item = self.item(scope, item)?;
            return Ok(Use::of(format!("[{item}]")));
        }
        if let Some(map) = go_type.strip_prefix("map[") {
            let (_, value) = map.split_once(']').context("a map has a key")?;
            let value = self.item(scope, value)?;
            return Ok(Use::of(format!("{{{value}}}")));
        }
        if let Some(kind) = basic(go_type) {
            return Ok(Use::of(kind));
        }
        let (package, name) = scope.resolve(go_type)?;
        self.named(package, name)
    }

    /// Resolves an item of a list or a map, which cannot have marks.
    fn item(&mut self, scope: Scope<'_>, go_type: &str) -> Result<String> {
        let used = self.used(scope, go_type)?;
        if used.marks == Marks::default() {
            return Ok(used.kind);
        }
        let (package, name) = scope.resolve(go_type.trim_start_matches('*'))?;
        Ok(component(package, name))
    }

    fn named(&mut self, package: &str, name: &str) -> Result<Use> {
        let component = component(package, name);
        if known::entry(&component).is_some() {
            return Ok(Use::of(component));
        }
        let declaration = self.0.declaration(package, name)?;
        let Definition::Other(go_type) = &declaration.definition else {
            return Ok(Use::of(component));
        };
        let scope = Scope {
            package,
            declaration: &declaration,
        };
        let mut used = self.used(scope, go_type)?;
        let marks = markers::keywords(&declaration.markers)?;
        used.marks.0.extend(marks.0);
        if declaration
            .markers
            .iter()
            .any(|marker| marker == "k8s:enum")
        {
            let values = json!(self.0.constants(package, name)?);
            used.marks.0.insert("enum".to_owned(), values);
        }
        Ok(used)
    }
}

impl<'a> Scope<'a> {
    /// Returns package and name of a named type.
    fn resolve<'t>(&self, go_type: &'t str) -> Result<(&'a str, &'t str)> {
        let Some((import, name)) = go_type.split_once('.') else {
            return Ok((self.package, go_type));
        };
        let path = self.declaration.imports.get(import);
        let path = path.with_context(|| format!("nothing is imported as {import}"))?;
        Ok((path, name))
    }
}

impl Use {
    fn of(kind: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            marks: Marks::default(),
        }
    }
}

/// Adds a rule against the removal of an optional immutable field, which its own rule cannot detect.
fn forbid_removal(marks: &mut Marks, field: &str) {
    let rule = json!({
        "message": format!("field {field} is immutable once set"),
        "rule": format!("!has(oldSelf.{field}) || has(self.{field})"),
    });
    markers::append(marks, "x-kubernetes-validations", rule);
}

fn basic(go_type: &str) -> Option<&'static str> {
    Some(match go_type {
        "string" => "string",
        "bool" => "bool",
        "int" | "int8" | "int16" | "uint" | "uint8" | "uint16" => "int",
        "int32" | "uint32" => "int32",
        "int64" | "uint64" => "int64",
        "float32" | "float64" => "number",
        _ => return None,
    })
}

/// Returns the component of a Go type: `io.k8s.api.core.v1.PodSpec` of `k8s.io/api/core/v1` and `PodSpec`.
fn component(package: &str, name: &str) -> String {
    let package = package.strip_prefix("k8s.io/").unwrap_or(package);
    format!("io.k8s.{}.{name}", package.replace('/', "."))
}

/// Returns the Go package of a component: `k8s.io/api/core/v1` of `io.k8s.api.core.v1`.
fn import_path(package: &str) -> Result<String> {
    let path = package.strip_prefix("io.k8s.");
    let path = path.with_context(|| format!("{package} is not a package of Kubernetes"))?;
    Ok(format!("k8s.io/{}", path.replace('.', "/")))
}
