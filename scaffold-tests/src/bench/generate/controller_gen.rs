//! controller-gen, built once into the cache folder.

use std::{env, path::PathBuf};

use crate::{
    kubebuilder::{Absence, built_from, go_command},
    tool::Tool,
};

/// The version that kb-rs is compared with.
pub(crate) const VERSION: &str = "v0.21.0";

/// What it is asked for, as Kubebuilder's Makefile does.
pub(crate) const ARGUMENTS: [&str; 5] = [
    "crd",
    "rbac:roleName=manager-role",
    "webhook",
    "paths=./...",
    "output:crd:artifacts:config=config/crd/bases",
];

const MODULE: &str = "sigs.k8s.io/controller-tools";

/// What the go command, which it calls, may need of the caller's settings.
const GO_SETTINGS: [&str; 7] = [
    "GOCACHE",
    "GOFLAGS",
    "GOMODCACHE",
    "GOPATH",
    "GOPROXY",
    "GOSUMDB",
    "XDG_CACHE_HOME",
];

/// controller-gen and the go command, ready to be called.
pub(crate) fn prepare() -> Result<(Tool, Tool), Absence> {
    let go = go_command().ok_or(Absence::NoGo)?;
    let binary = built_from(
        &go,
        MODULE,
        VERSION,
        "./cmd/controller-gen",
        "controller-gen",
    )
    .map_err(Absence::Failed)?;
    let tool = |binary: PathBuf| {
        let settings = GO_SETTINGS.iter();
        let settings = settings.filter_map(|name| Some((*name, env::var_os(name)?)));
        Tool::plain(binary, settings.collect())
    };
    Ok((tool(binary), tool(go)))
}
