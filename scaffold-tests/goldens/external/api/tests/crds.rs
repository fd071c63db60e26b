// SPDX-License-Identifier: Apache-2.0

//! The CRDs in config/crd/bases are those of the types.

use std::{fs, path::Path};

use kb::CustomResourceDefinition;

#[test]
fn the_committed_crds_are_those_of_the_types() {
    let bases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../config/crd/bases");
    for crd in external_api::crds() {
        let file = bases.join(format!("{}_{}.yaml", crd.spec.group, crd.spec.names.plural));
        let text = fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("{}: {error}: run `make generate`", file.display()));
        let committed: CustomResourceDefinition = serde_saphyr::from_str(&text).expect("a CRD");
        assert!(
            committed == crd,
            "{} is out of date: make generate",
            file.display()
        );
    }
}
