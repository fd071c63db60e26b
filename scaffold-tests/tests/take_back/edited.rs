//! `edit`: other choices, and back.

use std::fs;

use crate::{API, append, assert_same, kb_rs, project, replace, tree};

/// Everything that can be turned on, and how it is turned off.
const SWITCHES: [(&str, &str); 6] = [
    ("--namespaced", "--namespaced=false"),
    ("--multigroup", "--multigroup=false"),
    ("--enable prometheus", "--disable prometheus"),
    (
        "--enable pdb,network-policy,prometheus,metrics-tls",
        "--disable prometheus --disable pdb,network-policy,metrics-tls",
    ),
    ("--license mit --owner Me", "--license apache2 --owner ACME"),
    ("--license none", "--license apache2 --owner ACME"),
];

#[test]
fn what_is_turned_on_and_off_again_leaves_no_trace() {
    let folder = project();
    let root = folder.path();
    // The user's own, in files that change.
    append(root, "config/manager/manager.yaml", "# mine\n");
    append(root, "src/main.rs", "// mine\n");
    append(root, "src/controller/app_service.rs", "// mine\n");
    replace(root, "README.md", "## Getting started", "## How to start");
    let before = tree(root);
    for (on, off) in SWITCHES {
        kb_rs().succeed(root, &format!("edit {on}"));
        let edited = tree(root);
        assert_ne!(edited, before, "edit {on}");
        let again = kb_rs().succeed(root, &format!("edit {on}"));
        assert!(
            again.stderr.contains("nothing to change"),
            "edit {on}: {}",
            again.stderr
        );
        kb_rs().succeed(root, "generate");
        kb_rs().succeed(root, &format!("edit {off}"));
        kb_rs().succeed(root, "generate");
        assert_same(&before, root, &format!("edit {on}, then edit {off}"));
    }
}

#[test]
fn an_edited_project_is_the_one_that_was_made_so() {
    let api = format!("create api {API} --owns apps/v1/Deployment");
    for (edit, flags) in [
        ("--namespaced", "--namespaced"),
        ("--license mit --owner ACME", "--license mit --owner ACME"),
        ("--license none", "--license none"),
    ] {
        let [edited, made] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let init = "init --domain example.com --project-name demo";
        kb_rs().succeed(edited.path(), init);
        kb_rs().succeed(edited.path(), &api);
        kb_rs().succeed(edited.path(), &format!("edit {edit}"));
        kb_rs().succeed(made.path(), &format!("{init} {flags}"));
        kb_rs().succeed(made.path(), &api);
        for folder in [&edited, &made] {
            kb_rs().succeed(folder.path(), "generate");
        }
        assert_same(&tree(made.path()), edited.path(), edit);
    }
}

#[test]
fn a_change_of_the_user_in_the_same_place_stops_the_edit() {
    let folder = project();
    let root = folder.path();
    replace(
        root,
        "config/rbac/role_binding.yaml",
        "kind: ClusterRoleBinding",
        "kind: MyBinding",
    );
    let expected = [
        "config/rbac/role_binding.yaml",
        "changes of yours",
        "+kind: RoleBinding",
    ];
    kb_rs().refused(root, "edit --namespaced", 1, &expected);
    kb_rs().succeed(root, "edit --namespaced --force");
    let text = fs::read_to_string(root.join("config/rbac/role_binding.yaml")).unwrap();
    assert!(text.contains("kind: RoleBinding"), "{text}");
}

#[test]
fn kinds_stay_where_they_are_when_groups_get_folders() {
    let folder = project();
    let root = folder.path();
    let before = tree(root);
    kb_rs().succeed(root, "edit --multigroup");
    let other = "--group shop --version v1 --kind Order";
    kb_rs().succeed(root, &format!("create api {other}"));
    assert!(root.join("api/src/shop/v1/order.rs").exists());
    assert!(root.join("api/src/v1/app_service.rs").exists());
    kb_rs().refused(
        root,
        "edit --multigroup=false",
        1,
        &["several API groups: batch, shop"],
    );
    kb_rs().succeed(root, &format!("delete api {other}"));
    kb_rs().succeed(root, "edit --multigroup=false");
    assert_same(&before, root, "back to one group");
}

#[test]
fn a_manager_of_namespaces_cannot_have_controllers_of_cluster_scoped_kinds() {
    let folder = project();
    let create = "create api --group core --version v1 --kind Node --resource=false";
    kb_rs().succeed(folder.path(), create);
    kb_rs().refused(
        folder.path(),
        "edit --namespaced",
        1,
        &["Node is cluster-scoped"],
    );
}

#[test]
fn an_edit_that_asks_for_nothing_or_both_is_refused() {
    let folder = project();
    kb_rs().refused(folder.path(), "edit --quiet", 2, &["nothing to change"]);
    let both = "edit --enable pdb --disable pdb";
    kb_rs().refused(folder.path(), both, 1, &["both enabled and disabled"]);
}

#[test]
fn controllers_of_others_kinds_stay_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    kb_rs().succeed(
        root,
        "init --domain example.com --project-name demo --multigroup",
    );
    for group in ["core", "events"] {
        let create =
            format!("create api --group {group} --version v1 --kind Event --resource=false");
        kb_rs().succeed(root, &create);
    }
    let before = tree(root);
    kb_rs().succeed(root, "edit --multigroup=false");
    kb_rs().succeed(root, "edit --multigroup");
    assert_same(&before, root, "there and back");
}

#[test]
fn force_loses_only_the_place_of_a_conflict() {
    let folder = project();
    let root = folder.path();
    let types = "api/src/v1/app_service.rs";
    replace(root, types, "// Copyright ACME", "// Copyright 2026 ACME");
    append(root, types, "// mine\n");
    kb_rs().succeed(root, "edit --license mit --force");
    let text = fs::read_to_string(root.join(types)).unwrap();
    assert!(
        text.ends_with("// mine\n") && text.contains("Identifier: MIT"),
        "{text}"
    );
}
