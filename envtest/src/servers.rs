//! The servers' arguments. Paths are relative to the folder of the control plane, in which they run.
//!
//! etcd listens on sockets in that folder: nobody else can reach it, and no port is needed. Only the API server has a port, on loopback.

/// etcd's socket; the form `name:number` is asked for, and is the name of the file.
const ETCD: &str = "unix://etcd:1";
const ETCD_PEER: &str = "unix://etcd-peer:1";

/// The file that is there as soon as etcd listens.
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
        // What it holds need not survive a crash of the machine.
        ("unsafe-no-fsync", "true"),
    ])
}

/// `has_accounts` says that somebody makes the service account `default` in every namespace: without it no pod would be admitted.
pub(crate) fn api_server(port: u16, has_accounts: bool) -> Vec<String> {
    let mut arguments = to_arguments(&[
        ("etcd-servers", ETCD),
        ("bind-address", "127.0.0.1"),
        ("secure-port", &port.to_string()),
        // A machine without a network has no other address, and nobody looks for the API server's endpoints.
        ("advertise-address", "127.0.0.1"),
        ("endpoint-reconciler-type", "none"),
        // Room for the Services of large tests.
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
    if !has_accounts {
        arguments.push("--disable-admission-plugins=ServiceAccount".to_owned());
    }
    arguments
}

pub(crate) fn controller_manager() -> Vec<String> {
    to_arguments(&[
        ("kubeconfig", "admin.kubeconfig"),
        ("leader-elect", "false"),
        // It serves nothing.
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
    fn the_api_server_has_its_port_on_loopback_and_rbac() {
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
    fn pods_are_admitted_without_service_accounts_where_nobody_makes_them() {
        let disabled = "--disable-admission-plugins=ServiceAccount".to_owned();
        assert!(!api_server(1, true).contains(&disabled));
        assert!(api_server(1, false).contains(&disabled));
    }

    #[test]
    fn etcd_is_reached_by_a_socket_alone() {
        let listening = |argument: &&String| argument.starts_with("--listen");
        for argument in etcd().iter().filter(listening) {
            assert!(argument.contains("=unix://"), "{argument}");
        }
    }
}
