//! Command-line arguments of the servers. Paths are relative to their working directory, the environment's directory.
//!
//! etcd listens on Unix sockets in that directory, so other users cannot connect. Only the API server has a port, on loopback.

/// Socket of etcd. It requires the form `name:number`, which becomes the file name.
const ETCD: &str = "unix://etcd:1";
const ETCD_PEER: &str = "unix://etcd-peer:1";

/// Exists once etcd listens.
#[cfg(unix)]
pub(crate) const ETCD_SOCKET: &str = "etcd:1";

pub(crate) fn etcd() -> Vec<String> {
    to_arguments(&[
        ("name", "test"),
        ("data-dir", "etcd-data"),
        ("listen-client-urls", ETCD),
        ("advertise-client-urls", ETCD),
        ("listen-peer-urls", ETCD_PEER),
        ("initial-advertise-peer-urls", ETCD_PEER),
        ("initial-cluster", &format!("test={ETCD_PEER}")),
        // Data need not survive a crash of the machine.
        ("unsafe-no-fsync", "true"),
    ])
}

/// Without kube-controller-manager, nothing creates the service account `default` in each namespace, and the admission plugin would reject all
/// pods.
pub(crate) fn api_server(port: u16, has_controller_manager: bool) -> Vec<String> {
    let mut arguments = to_arguments(&[
        ("etcd-servers", ETCD),
        ("bind-address", "127.0.0.1"),
        ("secure-port", &port.to_string()),
        // Works without a network; nothing uses the API server's endpoints.
        ("advertise-address", "127.0.0.1"),
        ("endpoint-reconciler-type", "none"),
        // Large enough for tests with many Services.
        ("service-cluster-ip-range", "10.0.0.0/16"),
        ("cert-dir", "."),
        ("tls-cert-file", "server.crt"),
        ("tls-private-key-file", "server.key"),
        ("client-ca-file", "ca.crt"),
        ("authorization-mode", "RBAC"),
        ("service-account-issuer", "https://kubernetes.default.svc"),
        ("service-account-key-file", "accounts.pub"),
        ("service-account-signing-key-file", "accounts.key"),
        ("allow-privileged", "true"),
    ]);
    if !has_controller_manager {
        arguments.push("--disable-admission-plugins=ServiceAccount".to_owned());
    }
    arguments
}

pub(crate) fn controller_manager() -> Vec<String> {
    to_arguments(&[
        ("kubeconfig", "admin.kubeconfig"),
        ("leader-elect", "false"),
        // No endpoint.
        ("secure-port", "0"),
        ("root-ca-file", "ca.crt"),
        ("service-account-private-key-file", "accounts.key"),
    ])
}

fn to_arguments(flags: &[(&str, &str)]) -> Vec<String> {
    let argument = |(flag, value): &(&str, &str)| format!("--{flag}={value}");
    flags.iter().map(argument).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_api_server_listens_on_loopback_with_rbac() {
        let arguments = api_server(6443, true);
        for expected in [
            "--bind-address=127.0.0.1",
            "--secure-port=6443",
            "--authorization-mode=RBAC",
        ] {
            assert!(
                arguments.iter().any(|argument| argument == expected),
                "{arguments:?}"
            );
        }
    }

    #[test]
    fn pods_are_admitted_without_kube_controller_manager() {
        let disabled = "--disable-admission-plugins=ServiceAccount".to_owned();
        assert!(!api_server(1, true).contains(&disabled));
        assert!(api_server(1, false).contains(&disabled));
    }

    #[test]
    fn etcd_listens_on_sockets_only() {
        let listening = |argument: &&String| argument.starts_with("--listen");
        for argument in etcd().iter().filter(listening) {
            assert!(argument.contains("=unix://"), "{argument}");
        }
    }
}
