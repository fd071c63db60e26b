//! `edit`, and back.

use scaffold_tests::Project;

use crate::{API, INIT, assert_tree, project};

/// Flags that enable something, and those that disable it again.
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
fn enabling_and_disabling_leaves_no_trace() {
    let project = project();
    // Edits of the user in files that `edit` changes.
    project.append("config/manager/manager.yaml", "# mine\n");
    project.append("src/main.rs", "// mine\n");
    project.append("src/controller/app_service.rs", "// mine\n");
    project.replace("README.md", "\n## ", "\n## My ");
    let before = project.tree();
    for (on, off) in SWITCHES {
        project.succeed(&format!("edit {on}"));
        let edited = project.tree();
        assert_ne!(edited, before, "edit {on}");
        project.succeed(&format!("edit {on}"));
        assert_tree(&project, &edited, &format!("edit {on} a second time"));
        project.succeed(&format!("generate --check\nedit {off}"));
        assert_tree(&project, &before, &format!("edit {on}, then edit {off}"));
    }
    project.assert_unchanged("nothing_to_edit", "edit --namespaced=false");
}

#[test]
fn edit_equals_init_with_the_same_flags() {
    let site = "--group batch --version v1 --kind Site --image app --image-container-port 80";
    let api = format!("create api {API} --owns apps/v1/Deployment\ncreate api {site}");
    for flags in [
        "--namespaced",
        "--license mit --owner ACME",
        "--license none",
    ] {
        let edited = Project::new(&format!("{INIT}\n{api}\nedit {flags}"));
        let scaffolded = Project::new(&format!("{INIT} {flags}\n{api}"));
        assert_tree(&edited, &scaffolded.tree(), flags);
    }
}

#[test]
fn an_edit_of_the_user_in_the_same_lines_is_a_conflict() {
    let project = project();
    let path = "config/rbac/role_binding.yaml";
    project.replace(path, "kind: ClusterRoleBinding", "kind: MyBinding");
    project.assert_rejected("edited_lines", 1, "edit --namespaced");
    project.succeed("edit --namespaced --force");
    let text = project.read(path);
    assert!(text.contains("kind: RoleBinding"), "{text}");
}

#[test]
fn existing_kinds_are_not_moved_by_the_multi_group_layout() {
    let project = project();
    let before = project.tree();
    let other = "--group shop --version v1 --kind Order";
    project.succeed(&format!("edit --multigroup\ncreate api {other}"));
    assert!(project.exists("api/src/shop/v1/order.rs"));
    assert!(project.exists("api/src/v1/app_service.rs"));
    project.assert_rejected("several_groups", 1, "edit --multigroup=false");
    project.succeed(&format!("delete api {other}\nedit --multigroup=false"));
    assert_tree(&project, &before, "back to one group");
}

#[test]
fn a_namespaced_manager_rejects_existing_controllers_of_cluster_scoped_kinds() {
    let project = project();
    project.succeed("create api --group core --version v1 --kind Node --resource=false");
    project.assert_rejected("cluster_scoped_controller", 1, "edit --namespaced");
}

#[test]
fn empty_and_contradictory_edits_are_rejected() {
    let project = project();
    project.assert_rejected("no_flags", 2, "edit --quiet");
    let both = "edit --enable pdb --disable pdb";
    project.assert_rejected("enabled_and_disabled", 1, both);
}

#[test]
fn controllers_of_builtin_kinds_are_not_moved_by_the_layout() {
    let project = Project::new(&format!(
        "{INIT} --multigroup
        create api --group core --version v1 --kind Event --resource=false
        create api --group events --version v1 --kind Event --resource=false"
    ));
    let before = project.tree();
    project.succeed("edit --multigroup=false\nedit --multigroup");
    assert_tree(&project, &before, "back to several groups");
}

#[test]
fn force_overwrites_only_the_conflicting_lines() {
    let project = project();
    let types = "api/src/v1/app_service.rs";
    project.replace(types, "// Copyright ACME", "// Copyright 2026 ACME");
    project.append(types, "// mine\n");
    project.succeed("edit --license mit --force");
    let text = project.read(types);
    assert!(
        text.ends_with("// mine\n") && text.contains("Identifier: MIT"),
        "{text}"
    );
}
