//! Descriptions of scaffolded files and markers.

/// Descriptions of files. A path with a trailing `/` covers the directory.
pub(crate) const FILES: &[(&str, &str)] = &[
    (".dockerignore", "excludes files from the image build"),
    (
        ".github/dependabot.yml",
        "weekly updates of crates, actions and base images",
    ),
    (
        ".github/workflows/ci.yml",
        "CI: format, lints, `kb-rs generate --check`, tests, dependencies and image",
    ),
    (".gitignore", "excludes files from version control"),
    (
        "Cargo.toml",
        "workspace, shared versions and lints, and the manager's package",
    ),
    ("Dockerfile", "manager image"),
    ("LICENSE", "license text; not with `--license none`"),
    ("Makefile", "`make help` lists the targets"),
    (
        "PROJECT",
        "project metadata: see [PROJECT file](project-file.md)",
    ),
    ("README.md", "introduction for users and contributors"),
    ("SECURITY.md", "how to report a vulnerability"),
    ("api/Cargo.toml", "API crate; created with the first kind"),
    (
        "api/src/bin/crdgen.rs",
        "prints the CRDs if `kb-rs generate` needs rustc",
    ),
    (
        "api/src/lib.rs",
        "modules, `definitions()` with the list of kinds, and `crds()`",
    ),
    (
        "api/src/v1alpha1/app_service.rs",
        "spec and status of a kind",
    ),
    ("api/src/v1alpha1/mod.rs", "kinds of a version"),
    (
        "api/tests/crds.rs",
        "checks that the committed CRDs match the types",
    ),
    ("config/crd/bases/", "CRDs, one file per kind"),
    ("config/crd/kustomization.yaml", "list of CRDs"),
    (
        "config/default/kustomization.yaml",
        "name prefix, namespace and components of the deployment",
    ),
    (
        "config/default/metrics_service.yaml",
        "metrics Service, port 8443",
    ),
    ("config/manager/", "Namespace and Deployment of the manager"),
    (
        "config/metrics-tls/",
        "optional: metrics certificate from a Secret, verified by the ServiceMonitor",
    ),
    (
        "config/network-policy/",
        "optional: restricts access to the metrics",
    ),
    (
        "config/pdb/",
        "optional: two replicas on different nodes and a PodDisruptionBudget",
    ),
    (
        "config/prometheus/",
        "optional: ServiceMonitor for the Prometheus operator",
    ),
    (
        "config/rbac/appservice_admin_role.yaml",
        "unbound role with full access to the kind",
    ),
    (
        "config/rbac/appservice_editor_role.yaml",
        "unbound role with write access to the kind",
    ),
    (
        "config/rbac/appservice_viewer_role.yaml",
        "unbound role with read access to the kind",
    ),
    ("config/rbac/kustomization.yaml", "list of roles"),
    (
        "config/rbac/leader_election_role.yaml",
        "allows the manager to use its Lease",
    ),
    (
        "config/rbac/leader_election_role_binding.yaml",
        "binds that role",
    ),
    (
        "config/rbac/metrics_auth_role.yaml",
        "allows the manager to authenticate and authorize metrics clients",
    ),
    (
        "config/rbac/metrics_auth_role_binding.yaml",
        "binds that role",
    ),
    (
        "config/rbac/metrics_reader_role.yaml",
        "unbound role for metrics clients",
    ),
    (
        "config/rbac/role.yaml",
        "role of the manager; empty until the first `kb-rs generate`",
    ),
    (
        "config/rbac/role_binding.yaml",
        "binds the role of the manager",
    ),
    (
        "config/rbac/service_account.yaml",
        "service account of the manager",
    ),
    (
        "config/samples/batch_v1alpha1_appservice.yaml",
        "sample object",
    ),
    ("config/samples/kustomization.yaml", "list of samples"),
    (
        "config/watched-namespaces/",
        "role of the manager in additional namespaces",
    ),
    ("api/src/batch/mod.rs", "versions of a group"),
    (
        "api/src/batch/v1alpha1/app_service.rs",
        "spec and status of a kind",
    ),
    ("api/src/batch/v1alpha1/mod.rs", "kinds of a version"),
    ("src/controller/batch/app_service.rs", "controller"),
    ("src/controller/batch/mod.rs", "controllers of a group"),
    (
        "tests/batch_app_service.rs",
        "integration test of the controller",
    ),
    (
        "config/rbac/batch_appservice_admin_role.yaml",
        "unbound role with full access to the kind",
    ),
    (
        "config/rbac/batch_appservice_editor_role.yaml",
        "unbound role with write access to the kind",
    ),
    (
        "config/rbac/batch_appservice_viewer_role.yaml",
        "unbound role with read access to the kind",
    ),
    (
        "deny.toml",
        "cargo-deny configuration: licenses, sources, advisories",
    ),
    ("hack/boilerplate.rs.txt", "header of new source files"),
    (
        "src/controller/app_service.rs",
        "controller: context, registration, `reconcile` and its permissions",
    ),
    ("src/controller/mod.rs", "modules of the controllers"),
    ("src/lib.rs", "modules of the manager, for the tests"),
    (
        "src/main.rs",
        "flags and startup of [the manager](manager.md)",
    ),
    ("tests/app_service.rs", "integration test of the controller"),
];

/// Text inserted at scaffold markers.
pub(crate) const SCAFFOLD_MARKERS: &[(&str, &str)] = &[
    ("components", "optional component"),
    ("controllers", "registration of a controller"),
    ("crds", "definition of a kind, or path of its CRD"),
    ("exports", "re-exports of a kind"),
    ("kinds", "module of a kind"),
    ("modules", "module of a version, a group or a controller"),
    ("resources", "reference to the CRDs"),
    ("roles", "roles of a kind"),
    ("samples", "sample of a kind"),
    ("versions", "module of a version"),
];
