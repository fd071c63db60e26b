// SPDX-License-Identifier: Apache-2.0

//! Writes every CRD of this API to a folder, one file per kind: `crdgen config/crd/bases`.

use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).ok_or("usage: crdgen FOLDER")?;
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder)?;
    for crd in odd_names_api::crds() {
        let name = format!("{}_{}.yaml", crd.spec.group, crd.spec.names.plural);
        fs::write(folder.join(name), serde_saphyr::to_string(&crd)?)?;
    }
    Ok(())
}
