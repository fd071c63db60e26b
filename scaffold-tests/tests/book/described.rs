//! What the files of a project are, in the words of the book. Which files there are, and whose, the commands say: see `files`.

/// What each file is. A path that ends in `/` is all below it.
pub(crate) const ABOUT: &[(&str, &str)] = &[
    (".dockerignore", "what the image's build does not see"),
    (
        ".github/dependabot.yml",
        "weekly pull requests with new versions of crates, actions and base images",
    ),
    (
        ".github/workflows/ci.yml",
        "format, lints, `kb-rs generate --check`, tests, dependencies and the image, on each push",
    ),
    (".gitignore", "what is not committed"),
    (
        "Cargo.toml",
        "the workspace, shared versions and lints, and the manager's package",
    ),
    ("Dockerfile", "the image"),
    ("LICENSE", "the licence's text; not with `--license none`"),
    ("Makefile", "`make help` lists the targets"),
    (
        "PROJECT",
        "what kb-rs knows of the project: [The PROJECT file](project-file.md)",
    ),
    ("README.md", "what the project is, and how to work with it"),
    ("SECURITY.md", "how to report a vulnerability"),
    ("api/Cargo.toml", "the API crate; comes with the first kind"),
    (
        "api/src/bin/crdgen.rs",
        "prints the CRDs: for `kb-rs generate`, where only rustc knows a type",
    ),
    (
        "api/src/lib.rs",
        "its modules, `definitions()`, the list of its kinds, and `crds()`, one CRD per kind",
    ),
    (
        "api/src/v1alpha1/app_service.rs",
        "a kind: its spec and its status",
    ),
    ("api/src/v1alpha1/mod.rs", "the kinds of a version"),
    (
        "api/tests/crds.rs",
        "tests that the committed CRDs are those of the types",
    ),
    ("config/crd/bases/", "the CRDs, one file per kind"),
    ("config/crd/kustomization.yaml", "the list of the CRDs"),
    (
        "config/default/kustomization.yaml",
        "all that is deployed: prefix, namespace, parts",
    ),
    (
        "config/default/metrics_service.yaml",
        "the Service for the metrics, port 8443",
    ),
    (
        "config/manager/",
        "the Namespace and the Deployment of the manager, with its flags and probes",
    ),
    (
        "config/metrics-tls/",
        "optional: the metrics' certificate from a Secret, which the ServiceMonitor verifies",
    ),
    (
        "config/network-policy/",
        "optional: who may reach the metrics",
    ),
    (
        "config/pdb/",
        "optional: two replicas, if possible on different nodes, and a PodDisruptionBudget",
    ),
    (
        "config/prometheus/",
        "optional: a ServiceMonitor for the Prometheus operator, over TLS with a token",
    ),
    (
        "config/rbac/appservice_admin_role.yaml",
        "a role for people who use the kind; the manager does not need it",
    ),
    (
        "config/rbac/appservice_editor_role.yaml",
        "a role for people who use the kind",
    ),
    (
        "config/rbac/appservice_viewer_role.yaml",
        "a role for people who use the kind",
    ),
    ("config/rbac/kustomization.yaml", "the list of the roles"),
    (
        "config/rbac/leader_election_role.yaml",
        "the manager may hold its Lease, by name, in its namespace",
    ),
    (
        "config/rbac/leader_election_role_binding.yaml",
        "gives it that role",
    ),
    (
        "config/rbac/metrics_auth_role.yaml",
        "the manager may ask who reads its metrics, and whether they may",
    ),
    (
        "config/rbac/metrics_auth_role_binding.yaml",
        "gives it that role",
    ),
    (
        "config/rbac/metrics_reader_role.yaml",
        "for those who may read the metrics; bind it to them",
    ),
    (
        "config/rbac/role.yaml",
        "what the manager may do; empty until the first `kb-rs generate`",
    ),
    (
        "config/rbac/role_binding.yaml",
        "gives the manager its role",
    ),
    ("config/rbac/service_account.yaml", "who the manager is"),
    (
        "config/samples/batch_v1alpha1_appservice.yaml",
        "an object to start from",
    ),
    (
        "config/samples/kustomization.yaml",
        "the list of the samples",
    ),
    (
        "config/watched-namespaces/",
        "the manager's role in further namespaces",
    ),
    ("api/src/batch/mod.rs", "the versions of a group"),
    ("api/src/batch/v1alpha1/app_service.rs", "a kind"),
    ("api/src/batch/v1alpha1/mod.rs", "the kinds of a version"),
    ("src/controller/batch/app_service.rs", "a controller"),
    ("src/controller/batch/mod.rs", "the controllers of a group"),
    ("tests/batch_app_service.rs", "its test"),
    (
        "config/rbac/batch_appservice_admin_role.yaml",
        "a role for people who use the kind",
    ),
    (
        "config/rbac/batch_appservice_editor_role.yaml",
        "a role for people who use the kind",
    ),
    (
        "config/rbac/batch_appservice_viewer_role.yaml",
        "a role for people who use the kind",
    ),
    (
        "deny.toml",
        "what the operator may depend on: licences, sources, advisories",
    ),
    (
        "hack/boilerplate.rs.txt",
        "the header of each source file that kb-rs makes; edit it, and new files follow",
    ),
    (
        "src/controller/app_service.rs",
        "a controller: its context, `start`, `reconcile`, and what it may do",
    ),
    ("src/controller/mod.rs", "the controllers' modules"),
    ("src/lib.rs", "the manager's modules, for the tests"),
    (
        "src/main.rs",
        "your flags beside those of [the manager](manager.md), and the start of the controllers",
    ),
    ("tests/app_service.rs", "its test, on a real API server"),
];

/// What goes where a scaffold marker stands.
pub(crate) const INSERTED: &[(&str, &str)] = &[
    ("components", "an optional part that the file does not list"),
    ("controllers", "the call that starts a controller"),
    ("crds", "a kind's definition, or the file of its CRD"),
    ("exports", "a kind's types, re-exported"),
    ("kinds", "the module of a kind"),
    (
        "modules",
        "the module of a version, of a group, or of a controller",
    ),
    ("resources", "the CRDs, as a part of what is deployed"),
    ("roles", "the roles of a kind"),
    ("samples", "the sample of a kind"),
    ("versions", "the module of a version"),
];
