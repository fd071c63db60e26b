//! Parses the type declarations of a Go file, for the subset of Go in Kubernetes' types.
//!
//! It works line by line: gofmt does not indent declarations and the ends of structs, and puts one field on one line. As in controller-gen, a
//! marker belongs to a declaration if it is in its doc comment, or in the nearest comment above.

use std::collections::BTreeMap;
use std::rc::Rc;

/// Declarations of a file or a package.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    /// Types by name.
    pub(crate) types: BTreeMap<String, Rc<Declaration>>,
    /// Type and value of the string constants.
    pub(crate) constants: Vec<(String, String)>,
}

/// A type with the imports of its file.
#[derive(Debug)]
pub(crate) struct Declaration {
    /// Markers without their `+`.
    pub(crate) markers: Vec<String>,
    /// Import paths by their names in the file.
    pub(crate) imports: BTreeMap<String, String>,
    /// Definition of the type.
    pub(crate) definition: Definition,
}

/// Definition of a type.
#[derive(Debug)]
pub(crate) enum Definition {
    /// `struct { … }`
    Struct(Vec<Field>),
    /// Any other expression: `map[ResourceName]resource.Quantity`.
    Other(String),
}

/// A field of a struct, with or without a name.
#[derive(Debug)]
pub(crate) struct Field {
    /// Markers without their `+`.
    pub(crate) markers: Vec<String>,
    /// Type expression.
    pub(crate) go_type: String,
    /// JSON tag: `name,omitempty`.
    pub(crate) json: Option<String>,
}

impl Declarations {
    /// Adds the declarations of a file.
    pub(crate) fn read(&mut self, source: &str) {
        let imports = imports(source);
        let mut comments = Comments::default();
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            if comments.take(line.trim()) {
                continue;
            }
            let markers = comments.markers();
            self.constants.extend(constant(line));
            let Some((name, definition)) = type_declaration(line) else {
                continue;
            };
            let definition = match definition {
                "struct {" => Definition::Struct(fields(&mut lines)),
                "struct{}" | "struct {}" => Definition::Struct(Vec::new()),
                other => Definition::Other(other.to_owned()),
            };
            let declaration = Declaration {
                markers,
                imports: imports.clone(),
                definition,
            };
            // Files of other platforms may declare it, too.
            let types = &mut self.types;
            types.entry(name.to_owned()).or_insert(Rc::new(declaration));
        }
    }
}

impl Field {
    /// Returns whether it has a marker without a value.
    pub(crate) fn has(&self, marker: &str) -> bool {
        self.markers.iter().any(|found| found == marker)
    }
}

/// Returns name and definition on a line such as `type PodPhase string`.
fn type_declaration(line: &str) -> Option<(&str, &str)> {
    let (name, definition) = line.strip_prefix("type ")?.split_once(' ')?;
    let definition = definition.strip_prefix("= ").unwrap_or(definition);
    Some((name, without_comment(definition)))
}

/// Returns the fields up to the end of the struct.
fn fields<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Vec<Field> {
    let mut comments = Comments::default();
    let mut fields = Vec::new();
    for line in lines.take_while(|line| !line.starts_with('}')) {
        if comments.take(line.trim()) {
            continue;
        }
        let markers = comments.markers();
        let (declaration, tag) = match line.split_once('`') {
            Some((declaration, tag)) => (declaration, tag),
            None => (without_comment(line), ""),
        };
        let json = tag.split_once("json:\"").and_then(|(_, json)| {
            let (json, _) = json.split_once('"')?;
            Some(json.to_owned())
        });
        let mut words = declaration.split_whitespace();
        if let Some(go_type) = words.next_back() {
            fields.push(Field {
                markers,
                go_type: go_type.to_owned(),
                json,
            });
        }
    }
    fields
}

/// Returns type and value on a line such as `ProtocolTCP Protocol = "TCP"`.
fn constant(line: &str) -> Option<(String, String)> {
    let line = line.trim_start();
    let words: Vec<&str> = line
        .strip_prefix("const ")
        .unwrap_or(line)
        .split_whitespace()
        .collect();
    let [_, go_type, "=", value, ..] = words[..] else {
        return None;
    };
    let value = value.strip_prefix('"')?.strip_suffix('"')?;
    Some((go_type.to_owned(), value.to_owned()))
}

/// Returns import paths by their names in the file.
fn imports(source: &str) -> BTreeMap<String, String> {
    let Some((_, rest)) = source.split_once("\nimport (") else {
        return source.lines().filter_map(import).collect();
    };
    let block = rest.split_once("\n)").map_or("", |(block, _)| block);
    block.lines().filter_map(import).collect()
}

fn import(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let line = line.strip_prefix("import ").unwrap_or(line);
    let (name, path) = line.split_once('"')?;
    let (path, _) = path.split_once('"')?;
    let name = match name.trim() {
        "" => path.rsplit('/').next()?,
        name => name,
    };
    Some((name.to_owned(), path.to_owned()))
}

fn without_comment(text: &str) -> &str {
    let text = text.split_once("//").map_or(text, |(code, _)| code);
    text.trim()
}

/// The comments since the last line of code.
#[derive(Debug, Default)]
struct Comments {
    /// Markers of each comment; the last one may be incomplete.
    blocks: Vec<Vec<String>>,
    /// Whether the last comment is incomplete.
    open: bool,
    /// Whether the next line is inside `/* … */`.
    long: bool,
}

impl Comments {
    /// Consumes a line if it is blank or a comment.
    fn take(&mut self, line: &str) -> bool {
        if self.long || line.starts_with("/*") {
            self.long = !line.ends_with("*/");
            self.open = false;
            return true;
        }
        let Some(comment) = line.strip_prefix("//") else {
            // A blank line ends a comment.
            self.open &= !line.is_empty();
            return line.is_empty();
        };
        if !self.open {
            self.blocks.push(Vec::new());
            self.open = true;
        }
        let marker = comment.trim().strip_prefix('+').map(str::to_owned);
        if let Some(block) = self.blocks.last_mut() {
            block.extend(marker);
        }
        true
    }

    /// Returns the markers of the declaration on this line, and resets.
    fn markers(&mut self) -> Vec<String> {
        let documented = usize::from(self.open);
        let first = self.blocks.len().saturating_sub(documented + 1);
        self.open = false;
        let markers = self.blocks.drain(..).skip(first).flatten();
        markers.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"
package v1

import (
	"k8s.io/apimachinery/pkg/types"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +far

// +near

// Thing is a struct.
// +structType=atomic
type Thing struct {
	metav1.TypeMeta `json:",inline"`
	// +optional

	// +listType=atomic
	Names []string `json:"names,omitempty" protobuf:"bytes,1"` // +end
	UID types.UID `json:"uid"`
}

// +enum
type Phase string // as a name

const (
	Ready Phase = "Ready"
)
"#;

    #[test]
    fn a_marker_is_in_the_doc_comment_or_in_the_nearest_one_above() {
        let mut declarations = Declarations::default();
        declarations.read(SOURCE);
        let thing = &declarations.types["Thing"];
        assert_eq!(thing.markers, ["near", "structType=atomic"]);
        let Definition::Struct(fields) = &thing.definition else {
            panic!("{thing:?}");
        };
        let markers: Vec<_> = fields.iter().map(|field| field.markers.join(" ")).collect();
        assert_eq!(markers, ["", "optional listType=atomic", ""]);
        assert_eq!(declarations.types["Phase"].markers, ["enum"]);
    }

    #[test]
    fn a_field_has_a_type_and_a_json_tag() {
        let mut declarations = Declarations::default();
        declarations.read(SOURCE);
        let thing = &declarations.types["Thing"];
        let Definition::Struct(fields) = &thing.definition else {
            panic!("{thing:?}");
        };
        let fields: Vec<_> = fields
            .iter()
            .map(|field| (field.go_type.as_str(), field.json.as_deref()))
            .collect();
        let expected = [
            ("metav1.TypeMeta", Some(",inline")),
            ("[]string", Some("names,omitempty")),
            ("types.UID", Some("uid")),
        ];
        assert_eq!(fields, expected);
        assert_eq!(thing.imports["types"], "k8s.io/apimachinery/pkg/types");
        assert_eq!(declarations.constants, [("Phase".into(), "Ready".into())]);
    }
}
