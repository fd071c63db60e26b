//! A running control plane.

use std::{fmt, fs, net::TcpListener, path::Path, time::Duration};

use serde::Serialize;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::{
    Binaries, Builder, Error, KubeconfigFile, ServiceAccount, api::Api, certificates, documents,
    environment_dir::EnvironmentDir, kubeconfig, process::Server, servers,
};

/// Timeout for a server to become ready, even on a busy machine.
const READY_TIMEOUT: Duration = Duration::from_secs(90);

/// Interval at which servers are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Maximum number of ports to try.
const MAX_PORTS: u32 = 10;

/// A running control plane. Stops when dropped.
///
/// In a `static`, which is never dropped, it stops when the process exits.
// Fields in order of shutdown.
pub struct Environment {
    controller_manager: Option<Server>,
    api_server: Option<Server>,
    etcd: Server,
    api: Api,
    binaries: Binaries,
    has_controller_manager: bool,
    dir: EnvironmentDir,
}

impl Environment {
    /// Returns a builder.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) async fn start(
        binaries: Binaries,
        controller_manager: bool,
        documents: &[Value],
    ) -> Result<Self, Error> {
        Self::start_at(free_port()?, binaries, controller_manager, documents).await
    }

    /// Tries other ports if this one is in use.
    async fn start_at(
        port: u16,
        binaries: Binaries,
        controller_manager: bool,
        documents: &[Value],
    ) -> Result<Self, Error> {
        if controller_manager {
            binaries.check_controller_manager()?;
        }
        let dir = EnvironmentDir::new()?;
        let identity = certificates::write(dir.path())?;
        let program = binaries.path("etcd");
        let etcd = Server::start("etcd", &program, &servers::etcd(), dir.path())?;
        let mut environment = Self {
            controller_manager: None,
            api_server: None,
            etcd,
            api: Api::new(port, identity)?,
            binaries,
            has_controller_manager: controller_manager,
            dir,
        };
        let started = environment.start_servers(documents).await;
        if started.is_err() {
            environment.keep_logs();
        }
        started.map(|()| environment)
    }

    async fn start_servers(&mut self, documents: &[Value]) -> Result<(), Error> {
        self.wait_for_etcd().await?;
        let mut attempts = 1;
        while let Err(error) = self.try_api_server().await {
            // Another process may have taken the port since it was chosen.
            let is_taken = matches!(&error, Error::Exited { tail, .. } if tail.contains("address already in use"));
            if !is_taken || attempts == MAX_PORTS {
                return Err(error);
            }
            attempts += 1;
            self.api.set_port(free_port()?);
        }
        // Created after the API server reports ready.
        let default = "/api/v1/namespaces/default";
        let check = || async {
            let found = self.api.get(default).await?;
            Ok(found.is_none().then(|| "not found".to_owned()))
        };
        self.api.poll_until("the namespace default", check).await?;
        // Before kube-controller-manager, which discovers new kinds only every 30 seconds.
        documents::apply(self.running()?, documents).await?;
        if self.has_controller_manager {
            self.start_controller_manager().await?;
        }
        Ok(())
    }

    /// Stops the API server. Its objects remain in etcd.
    pub fn stop_api_server(&mut self) {
        self.api_server = None;
    }

    /// Restarts the API server at the same address and waits until it is ready.
    pub async fn start_api_server(&mut self) -> Result<(), Error> {
        let started = self.try_api_server().await;
        started.inspect_err(|_| self.keep_logs())
    }

    async fn try_api_server(&mut self) -> Result<(), Error> {
        self.stop_api_server();
        let arguments = servers::api_server(self.api.port(), self.has_controller_manager);
        let name = "kube-apiserver";
        let program = self.binaries.path(name);
        let mut server = Server::start(name, &program, &arguments, self.dir.path())?;
        let api = self.api.clone();
        wait_until_ready(&mut server, || api.is_ready()).await?;
        self.api_server = Some(server);
        Ok(())
    }

    /// Waits until etcd listens, since an API server retries only after a second.
    async fn wait_for_etcd(&mut self) -> Result<(), Error> {
        #[cfg(unix)]
        {
            let socket = self.dir.path().join(servers::ETCD_SOCKET);
            let listens = || std::future::ready(socket.exists());
            wait_until_ready(&mut self.etcd, listens).await?;
        }
        Ok(())
    }

    async fn start_controller_manager(&mut self) -> Result<(), Error> {
        let path = self.dir.path().join("admin.kubeconfig");
        fs::write(&path, self.kubeconfig()).map_err(|source| Error::File {
            path,
            action: "write",
            source,
        })?;
        let name = "kube-controller-manager";
        let program = self.binaries.path(name);
        let arguments = servers::controller_manager();
        let mut server = Server::start(name, &program, &arguments, self.dir.path())?;
        // It has no endpoint, but creates this object.
        let path = "/api/v1/namespaces/default/serviceaccounts/default";
        let api = self.api.clone();
        let is_ready = || async { matches!(api.get(path).await, Ok(Some(_))) };
        wait_until_ready(&mut server, is_ready).await?;
        self.controller_manager = Some(server);
        Ok(())
    }

    /// Applies objects of any kind in order and waits until CRDs among them are served.
    pub async fn apply<D: Serialize>(
        &self,
        documents: impl IntoIterator<Item = D>,
    ) -> Result<(), Error> {
        documents::apply(self.running()?, &documents::to_values(documents)?).await
    }

    /// Creates a service account and its namespace, and waits until its permissions are in force.
    ///
    /// Applies `rules` and binds each Role (in its namespace) and `ClusterRole` among them to the account, so an operator's generated role
    /// is all you need. Can be called again to change the permissions.
    pub async fn service_account<D: Serialize>(
        &self,
        namespace: &str,
        name: &str,
        rules: impl IntoIterator<Item = D>,
    ) -> Result<ServiceAccount, Error> {
        let rules = documents::to_values(rules)?;
        ServiceAccount::create(self.running()?, namespace, name, rules).await
    }

    /// Returns a kubeconfig with cluster-admin permissions. It refers to files of the environment, so it is only valid while that runs.
    pub fn kubeconfig(&self) -> String {
        kubeconfig::admin(self.dir.path(), self.api.port())
    }

    /// Writes the administrator's kubeconfig to a file. Fails if the file exists, unless it is from an earlier environment.
    pub fn write_kubeconfig(&self, path: &Path) -> Result<KubeconfigFile, Error> {
        KubeconfigFile::write(path, self.kubeconfig())
    }

    /// Returns the URL of the API server.
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.api.port())
    }

    /// Returns the version of the API server, such as `v1.36.2`.
    pub async fn version(&self) -> Result<String, Error> {
        let version = self.running()?.get("/version").await?.unwrap_or_default();
        Ok(version["gitVersion"]
            .as_str()
            .unwrap_or_default()
            .to_owned())
    }

    /// Returns a kubeconfig for a service account.
    pub fn kubeconfig_as(&self, account: &ServiceAccount) -> String {
        kubeconfig::account(self.dir.path(), self.api.port(), account)
    }

    /// Returns the directory with keys, data and logs (`NAME.log`).
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Returns the process ids of the running servers: etcd, kube-apiserver, kube-controller-manager.
    pub fn pids(&self) -> Vec<u32> {
        let others = [&self.api_server, &self.controller_manager];
        let servers = std::iter::once(&self.etcd).chain(others.into_iter().flatten());
        servers.filter_map(Server::pid).collect()
    }

    /// Waits until a server exits unexpectedly, keeps the logs and returns the error.
    pub async fn wait_for_failure(&mut self) -> Error {
        loop {
            let others = [&mut self.api_server, &mut self.controller_manager];
            let mut servers = std::iter::once(&mut self.etcd).chain(others.into_iter().flatten());
            let exited = servers.find_map(|server| {
                let status = server.exit_status()?;
                Some(server.exited_error(status))
            });
            drop(servers);
            if let Some(error) = exited {
                self.keep_logs();
                return error;
            }
            sleep(CHECK_INTERVAL).await;
        }
    }

    /// Keeps the server logs when the directory is removed, and prints where they are. Happens automatically if a test panics, but not if
    /// it shares the environment with others.
    pub fn keep_logs(&self) {
        self.dir.keep_logs();
    }

    /// Stops all servers and removes the directory, like dropping it, without blocking the runtime.
    pub async fn stop(self) {
        // If the runtime shuts down meanwhile, the environment is dropped anyway.
        let _ = tokio::task::spawn_blocking(|| drop(self)).await;
    }

    pub(crate) fn running(&self) -> Result<&Api, Error> {
        self.api_server
            .as_ref()
            .map(|_| &self.api)
            .ok_or(Error::Stopped)
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment")
            .field("dir", &self.dir.path())
            .field("port", &self.api.port())
            .finish_non_exhaustive()
    }
}

/// Waits until a server is ready. Fails if it exits.
async fn wait_until_ready<F>(server: &mut Server, is_ready: impl Fn() -> F) -> Result<(), Error>
where
    F: Future<Output = bool>,
{
    let start = Instant::now();
    while !is_ready().await {
        if let Some(status) = server.exit_status() {
            return Err(server.exited_error(status));
        }
        if start.elapsed() > READY_TIMEOUT {
            return Err(server.not_ready(READY_TIMEOUT));
        }
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Returns a free port.
pub(crate) fn free_port() -> Result<u16, Error> {
    let address = || TcpListener::bind(("127.0.0.1", 0))?.local_addr();
    let address = address().map_err(Error::NoPort)?;
    Ok(address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_port_in_use_is_replaced() {
        // The integration tests report missing binaries.
        let Ok(binaries) = Binaries::find() else {
            return;
        };
        let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let started = Environment::start_at(port, binaries, false, &[]).await;
        assert_ne!(started.unwrap().api.port(), port);
    }
}
