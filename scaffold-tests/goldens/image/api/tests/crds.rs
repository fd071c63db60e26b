// SPDX-License-Identifier: Apache-2.0

//! Checks that the CRDs in config/crd/bases match the types.

use std::{fs, path::Path};

use kb::CustomResourceDefinition;

#[test]
fn committed_crds_are_up_to_date() {
    let bases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../config/crd/bases");
    for crd in image_api::crds() {
        let file = format!("{}_{}.yaml", crd.spec.group, crd.spec.names.plural);
        let yaml = fs::read_to_string(bases.join(&file))
            .unwrap_or_else(|error| panic!("failed to read {file}, run `make generate`: {error}"));
        let committed: CustomResourceDefinition = serde_saphyr::from_str(&yaml).expect("valid CRD");
        assert!(
            committed == crd,
            "{file} is out of date, run `make generate`"
        );
    }
}
