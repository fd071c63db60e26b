//! A proxy to the API server that can drop connections.

use std::net::SocketAddr;

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// A proxy on loopback. Dropping it stops it.
pub(crate) struct Proxy {
    address: SocketAddr,
    cut: watch::Sender<u32>,
}

impl Proxy {
    /// Starts a proxy to a URL.
    pub(crate) async fn new(url: &str) -> Self {
        let target = url.trim_start_matches("https://").to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (cut, _) = watch::channel(0);
        let cuts = cut.clone();
        tokio::spawn(async move {
            let accept = async {
                while let Ok((client, _)) = listener.accept().await {
                    let mut cut = cuts.subscribe();
                    let target = target.clone();
                    tokio::spawn(async move {
                        tokio::select! {
                            _ = forward(client, &target) => {}
                            _ = cut.changed() => {}
                        }
                    });
                }
            };
            let mut ended = cuts.subscribe();
            tokio::select! {
                () = accept => {}
                _ = ended.wait_for(|cuts| *cuts == u32::MAX) => {}
            }
        });
        Self { address, cut }
    }

    /// Returns a kubeconfig that uses the proxy.
    pub(crate) fn kubeconfig(&self, kubeconfig: &str, url: &str) -> String {
        kubeconfig.replace(url, &format!("https://{}", self.address))
    }

    /// Drops all connections.
    pub(crate) fn drop_connections(&self) {
        self.cut.send_modify(|cuts| *cuts += 1);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.cut.send_replace(u32::MAX);
    }
}

async fn forward(mut client: TcpStream, target: &str) -> std::io::Result<()> {
    let mut server = TcpStream::connect(target).await?;
    copy_bidirectional(&mut client, &mut server).await?;
    Ok(())
}
