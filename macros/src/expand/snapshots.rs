//! Snapshots of expansions, so that reviews show their changes.
//!
//! `tests/expansions/NAME.in.rs` contains items with attributes, `NAME.rs` their expansion, which the tests of kb-runtime compile.

use std::{env, fs, path::Path};

use quote::{ToTokens, quote};

const UPDATE: &str = "UPDATE=1 cargo test -p kb-macros";

fn expanded(source: &str) -> String {
    let file = syn::parse_file(source).unwrap();
    let mut tokens = proc_macro2::TokenStream::new();
    for mut item in file.items {
        let attribute = super::attributes_mut(&mut item).and_then(|attributes| {
            let position = attributes.iter().position(|attribute| {
                kb_markers::kb_attribute(attribute).is_some()
                    || kb_markers::is_rbac(attribute.path())
            })?;
            Some(attributes.remove(position))
        });
        let Some(attribute) = attribute else {
            tokens.extend(item.to_token_stream());
            continue;
        };
        let arguments = kb_markers::arguments_of(&attribute);
        tokens.extend(match kb_markers::kb_attribute(&attribute) {
            Some(kb_markers::KbAttribute::Resource) => super::resource(&arguments, &quote!(#item)),
            Some(kb_markers::KbAttribute::Object) => super::object(arguments, &quote!(#item)),
            None => super::rbac(arguments, &quote!(#item)),
        });
    }
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a test reads and writes its own files"
)]
fn expansions_match_snapshots() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expansions");
    let mut count = 0;
    for entry in fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(".in.rs") else {
            continue;
        };
        count += 1;
        let actual = expanded(&fs::read_to_string(&path).unwrap());
        let committed = dir.join(format!("{name}.rs"));
        if env::var("UPDATE").is_ok() {
            fs::write(&committed, &actual).unwrap();
        } else {
            let expected = fs::read_to_string(&committed).unwrap_or_default();
            assert!(
                expected == actual,
                "{name}.rs differs from the expansion:\n{actual}\nTo update it: {UPDATE}"
            );
        }
    }
    assert!(count >= 5, "the inputs are missing from {}", dir.display());
}
