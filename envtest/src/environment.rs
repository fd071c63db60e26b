//! A control plane that runs: its servers, from the first to the last.

use std::{fmt, fs, net::TcpListener, path::Path, time::Duration};

use serde::Serialize;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::{
    Binaries, Builder, Error, KubeconfigFile, ServiceAccount, api::Api, certificates, documents,
    folder::Folder, kubeconfig, process::Server, servers,
};

/// How long a server may take to be ready, on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(90);

/// How often is looked whether the servers still run.
const GLANCE: Duration = Duration::from_millis(200);

/// How often another port is tried.
const PORTS: u32 = 10;

/// A control plane. It ends when this is dropped.
///
/// Where it is kept in a `static`, for all tests of a binary, it is dropped never; then it ends with the process.
// In the order in which they end.
pub struct Environment {
    controller_manager: Option<Server>,
    api_server: Option<Server>,
    etcd: Server,
    api: Api,
    binaries: Binaries,
    has_controller_manager: bool,
    folder: Folder,
}

impl Environment {
    /// What it is to have.
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

    /// Takes another port if this one is taken.
    async fn start_at(
        port: u16,
        binaries: Binaries,
        controller_manager: bool,
        documents: &[Value],
    ) -> Result<Self, Error> {
        if controller_manager {
            binaries.check_controller_manager()?;
        }
        let folder = Folder::new()?;
        let identity = certificates::write(folder.path())?;
        let program = binaries.path("etcd");
        let etcd = Server::start("etcd", &program, &servers::etcd(), folder.path())?;
        let mut environment = Self {
            controller_manager: None,
            api_server: None,
            etcd,
            api: Api::new(port, identity)?,
            binaries,
            has_controller_manager: controller_manager,
            folder,
        };
        let started = environment.start_servers(documents).await;
        if started.is_err() {
            environment.keep_logs();
        }
        started.map(|()| environment)
    }

    async fn start_servers(&mut self, documents: &[Value]) -> Result<(), Error> {
        self.etcd_listens().await?;
        let mut attempts = 1;
        while let Err(error) = self.try_api_server().await {
            // Between the choice of a port and its use somebody else may take it.
            let is_taken = matches!(&error, Error::Ended { tail, .. } if tail.contains("address already in use"));
            if !is_taken || attempts == PORTS {
                return Err(error);
            }
            attempts += 1;
            self.api.move_to(free_port()?);
        }
        // It is made after the API server is ready.
        let default = "/api/v1/namespaces/default";
        let check = || async {
            let found = self.api.get(default).await?;
            Ok(found.is_none().then(|| "it is not there".to_owned()))
        };
        self.api.until("the namespace default", check).await?;
        // Before the controllers: those look for new kinds only every 30 seconds.
        documents::apply(self.running()?, documents).await?;
        if self.has_controller_manager {
            self.start_controller_manager().await?;
        }
        Ok(())
    }

    /// Stops the API server. What it holds stays in etcd.
    pub fn stop_api_server(&mut self) {
        self.api_server = None;
    }

    /// Starts the API server again, at the same address and with what it held, and waits until it serves.
    pub async fn start_api_server(&mut self) -> Result<(), Error> {
        let started = self.try_api_server().await;
        started.inspect_err(|_| self.keep_logs())
    }

    async fn try_api_server(&mut self) -> Result<(), Error> {
        self.stop_api_server();
        let arguments = servers::api_server(self.api.port(), self.has_controller_manager);
        let name = "kube-apiserver";
        let program = self.binaries.path(name);
        let mut server = Server::start(name, &program, &arguments, self.folder.path())?;
        let api = self.api.clone();
        ready(&mut server, || api.is_ready()).await?;
        self.api_server = Some(server);
        Ok(())
    }

    /// Waits until etcd listens: an API server that finds it absent looks again after a second only.
    async fn etcd_listens(&mut self) -> Result<(), Error> {
        #[cfg(unix)]
        {
            let socket = self.folder.path().join(servers::ETCD_SOCKET);
            let listens = || std::future::ready(socket.exists());
            ready(&mut self.etcd, listens).await?;
        }
        Ok(())
    }

    async fn start_controller_manager(&mut self) -> Result<(), Error> {
        let path = self.folder.path().join("admin.kubeconfig");
        fs::write(&path, self.kubeconfig()).map_err(|source| Error::File {
            path,
            action: "written",
            source,
        })?;
        let name = "kube-controller-manager";
        let program = self.binaries.path(name);
        let arguments = servers::controller_manager();
        let mut server = Server::start(name, &program, &arguments, self.folder.path())?;
        // It serves nothing, but it makes this.
        let path = "/api/v1/namespaces/default/serviceaccounts/default";
        let api = self.api.clone();
        let works = || async { matches!(api.get(path).await, Ok(Some(_))) };
        ready(&mut server, works).await?;
        self.controller_manager = Some(server);
        Ok(())
    }

    /// Applies objects of any kind, in their order, and waits until CRDs among them are served.
    pub async fn apply<D: Serialize>(
        &self,
        documents: impl IntoIterator<Item = D>,
    ) -> Result<(), Error> {
        documents::apply(self.running()?, &documents::to_values(documents)?).await
    }

    /// Makes a service account, its namespace, and what it may do, and waits until that is in force.
    ///
    /// `rules` is applied. Every Role and `ClusterRole` in it is bound to the account as well, in the namespace of the Role or everywhere:
    /// so the role that an operator is generated with is all that is needed. For an account that exists, it changes what it may do.
    pub async fn service_account<D: Serialize>(
        &self,
        namespace: &str,
        name: &str,
        rules: impl IntoIterator<Item = D>,
    ) -> Result<ServiceAccount, Error> {
        let rules = documents::to_values(rules)?;
        ServiceAccount::make(self.running()?, namespace, name, rules).await
    }

    /// A kubeconfig as the administrator. It names files of the environment, and is of no use after its end.
    pub fn kubeconfig(&self) -> String {
        kubeconfig::admin(self.folder.path(), self.api.port())
    }

    /// Writes the kubeconfig of the administrator to a file, which must not exist, or be of an earlier environment.
    pub fn write_kubeconfig(&self, path: &Path) -> Result<KubeconfigFile, Error> {
        KubeconfigFile::write(path, self.kubeconfig())
    }

    /// Where the API server is.
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.api.port())
    }

    /// The version that the API server says it has, such as `v1.36.2`.
    pub async fn version(&self) -> Result<String, Error> {
        let version = self.running()?.get("/version").await?.unwrap_or_default();
        Ok(version["gitVersion"]
            .as_str()
            .unwrap_or_default()
            .to_owned())
    }

    /// A kubeconfig as a service account.
    pub fn kubeconfig_as(&self, account: &ServiceAccount) -> String {
        kubeconfig::account(self.folder.path(), self.api.port(), account)
    }

    /// Where its keys, data and logs (`NAME.log`) are.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The processes of the servers that run: etcd, kube-apiserver, kube-controller-manager.
    pub fn processes(&self) -> Vec<u32> {
        let others = [&self.api_server, &self.controller_manager];
        let servers = std::iter::once(&self.etcd).chain(others.into_iter().flatten());
        servers.filter_map(Server::id).collect()
    }

    /// Waits until a server ends by itself, and says which. Its log stays.
    pub async fn failure(&mut self) -> Error {
        loop {
            let others = [&mut self.api_server, &mut self.controller_manager];
            let mut servers = std::iter::once(&mut self.etcd).chain(others.into_iter().flatten());
            let ended = servers.find_map(|server| {
                let status = server.ended()?;
                Some(server.ended_error(status))
            });
            drop(servers);
            if let Some(error) = ended {
                self.keep_logs();
                return error;
            }
            sleep(GLANCE).await;
        }
    }

    /// Leaves the logs of the servers when all else is removed, and prints where they are. A test that panics while it has the environment
    /// does this by itself; one that shares it must ask.
    pub fn keep_logs(&self) {
        self.folder.keep_logs();
    }

    /// Stops all servers and removes the folder, as dropping it does.
    pub async fn stop(self) {
        // It blocks for some milliseconds. If the runtime ends meanwhile, the environment is dropped all the same.
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
            .field("folder", &self.folder.path())
            .field("port", &self.api.port())
            .finish_non_exhaustive()
    }
}

/// Waits until a server is ready, or has ended.
async fn ready<F>(server: &mut Server, is_ready: impl Fn() -> F) -> Result<(), Error>
where
    F: Future<Output = bool>,
{
    let start = Instant::now();
    while !is_ready().await {
        if let Some(status) = server.ended() {
            return Err(server.ended_error(status));
        }
        if start.elapsed() > PATIENCE {
            return Err(server.not_ready(PATIENCE));
        }
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// A port that nobody listens on now.
pub(crate) fn free_port() -> Result<u16, Error> {
    let address = || TcpListener::bind(("127.0.0.1", 0))?.local_addr();
    let address = address().map_err(Error::NoPort)?;
    Ok(address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_port_that_is_taken_is_given_up() {
        // That there are none is said by the tests in `tests`.
        let Ok(binaries) = Binaries::find() else {
            return;
        };
        let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let started = Environment::start_at(port, binaries, false, &[]).await;
        assert_ne!(started.unwrap().api.port(), port);
    }
}
