//! Invalid flags.

use scaffold_tests::Project;

use crate::api_project::ApiProject;

#[test]
fn conflicting_flags_are_rejected() {
    ApiProject::new(&["Job"]).assert_rejected(
        "conflicting_flags",
        2,
        "generate --stdout --check
        generate --stdout --dry-run
        generate --stdout --diff
        generate --stdout --output-dir x
        generate --stdout --watch
        generate --stdout --output json
        generate --watch --check
        generate --watch --dry-run
        generate --watch --verify
        generate --watch --output json
        generate --verify --build
        generate --verify --describe-core-types",
    );
}

#[test]
fn invalid_values_are_rejected() {
    ApiProject::new(&["Job"]).assert_rejected(
        "invalid_values",
        2,
        "generate crds
        generate --max-desc-len -1
        generate crd --output-dir ../out
        generate --header-file nowhere.txt",
    );
}

#[test]
fn flags_of_the_other_generator_are_rejected() {
    ApiProject::new(&["Job"]).assert_rejected(
        "flags_of_the_other_generator",
        2,
        "generate rbac --build
        generate rbac --verify
        generate rbac --max-desc-len 1
        generate rbac --describe-core-types
        generate rbac --role-name A
        generate crd --role-name a
        generate crd --deny-wildcards
        generate crd --report-unused
        generate --output-dir out",
    );
}

#[test]
fn generate_requires_a_project() {
    Project::empty().assert_rejected(
        "generate_outside_a_project",
        1,
        "generate
        generate --check
        generate --stdout
        generate --watch",
    );
}
