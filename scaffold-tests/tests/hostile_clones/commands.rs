//! Every command of kb-rs.

/// All commands.
pub(crate) const ALL: &[&str] = &[
    "init --domain example.com --project-name demo",
    "init new --domain example.com",
    "create api --group batch --version v1 --kind Backup --owns apps/v1/Deployment",
    "create api --group batch --version v1 --kind AppService --force",
    "create api --group batch --version v1 --kind Backup --dry-run",
    "create api --group batch --version v1 --kind Backup --diff",
    "create api --group batch --version v2 --kind AppService --controller=false",
    "delete api --group batch --version v1 --kind AppService",
    "delete api --group batch --version v1 --kind AppService --force",
    "edit --namespaced --license mit --enable prometheus",
    "generate",
    "generate crd",
    "generate rbac --report-unused",
    "generate --check",
    "generate crd --stdout",
    "generate --watch",
    "envtest list --installed-only",
    "envtest list --installed-only --dir bin/k8s",
    "envtest use --index no/such/index.yaml",
    "envtest path",
    "envtest run",
    "envtest cleanup --all",
    "envtest cleanup --all --dir bin/k8s",
    "completion bash",
    "version",
];

/// Commands that read most files of a project.
pub(crate) const READING: &[&str] = &[
    "create api --group batch --version v1 --kind Backup",
    "create api --group batch --version v2 --kind AppService --controller=false",
    "delete api --group batch --version v1 --kind AppService",
    "edit --namespaced --license mit",
    "generate",
    "generate rbac --report-unused",
    "envtest run",
];

/// Commands that look for a control plane.
pub(crate) const ENVTEST: &[&str] = &[
    "envtest list --installed-only --dir bin/k8s",
    "envtest use --index no/such/index.yaml",
    "envtest path",
    "envtest path --dir bin/k8s",
    "envtest use 1.36.2 --dir bin/k8s --index no/such/index.yaml",
    "envtest run",
    "envtest cleanup --all --dir bin/k8s",
];

/// Returns the names of all commands without subcommands.
pub(crate) fn leaf_names(command: &clap::Command, prefix: &str) -> Vec<String> {
    let names = command.get_subcommands().map(|subcommand| {
        let name = format!("{prefix}{}", subcommand.get_name());
        if subcommand.has_subcommands() {
            leaf_names(subcommand, &format!("{name} "))
        } else {
            vec![name]
        }
    });
    names.flatten().collect()
}
