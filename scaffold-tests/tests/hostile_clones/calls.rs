//! Calls of every command, as a newcomer to a project types them.

/// What is run in every clone.
pub(crate) const CALLS: &[&str] = &[
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

/// Those that read most of a project's files.
pub(crate) const READING: &[&str] = &[
    "create api --group batch --version v1 --kind Backup",
    "create api --group batch --version v2 --kind AppService --controller=false",
    "delete api --group batch --version v1 --kind AppService",
    "edit --namespaced --license mit",
    "generate",
    "generate rbac --report-unused",
    "envtest run",
];

/// Those that look for a control plane.
pub(crate) const ENVTEST: &[&str] = &[
    "envtest list --installed-only --dir bin/k8s",
    "envtest use --index no/such/index.yaml",
    "envtest path",
    "envtest path --dir bin/k8s",
    "envtest use 1.36.2 --dir bin/k8s --index no/such/index.yaml",
    "envtest run",
    "envtest cleanup --all --dir bin/k8s",
];

/// Calls `see` with every command that has no commands below it.
pub(crate) fn for_each_command(command: &clap::Command, prefix: &str, see: &mut dyn FnMut(&str)) {
    for below in command.get_subcommands() {
        let name = format!("{prefix}{}", below.get_name());
        if below.has_subcommands() {
            for_each_command(below, &format!("{name} "), see);
        } else {
            see(&name);
        }
    }
}
