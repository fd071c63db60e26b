//! An API server that disappears: its packets are dropped, so nothing is acknowledged or reset.
//!
//! A proxy cannot simulate that, because its kernel acknowledges what it receives. So server and client run in separate network namespaces, each
//! as another process of this test program, and a route drops the server's packets. Nothing outside the namespaces changes.
#![cfg(target_os = "linux")]

use std::{
    env,
    fs::OpenOptions,
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpListener,
    process::{self, Child, ChildStdout, Command, Output, Stdio},
    time::Instant,
};

use kube::{Api, Config, api::WatchParams};

use super::*;
use crate::manager::connection::Keepalive;

/// Environment variable with the role of the process.
const ROLE: &str = "KB_TEST_DEAD_SERVER";
const TEST: &str = "manager::tests::dead_server::server_and_client";

const SERVER: &str = "10.0.0.1";
const CLIENT: &str = "10.0.0.2";
const PORT: u16 = 8080;

const FAST: Keepalive = Keepalive {
    idle: Duration::from_secs(1),
    interval: Duration::from_secs(1),
    probes: 2,
    user_timeout: Duration::from_secs(2),
};

/// Network namespaces for server and client with a virtual cable, removed on drop.
struct Namespaces {
    server: String,
    client: String,
    processes: Vec<Child>,
}

impl Namespaces {
    /// Fails if namespaces are not permitted or `ip` is missing.
    fn new(name: &str) -> Result<Self, String> {
        let id = process::id();
        let namespaces = Self {
            server: format!("kb-{name}-server-{id}"),
            client: format!("kb-{name}-client-{id}"),
            processes: Vec::new(),
        };
        let Self { server, client, .. } = &namespaces;
        for line in [
            format!("netns add {server}"),
            format!("netns add {client}"),
            format!("-n {server} link add cable type veth peer name cable netns {client}"),
            format!("-n {server} address add {SERVER}/24 dev cable"),
            format!("-n {client} address add {CLIENT}/24 dev cable"),
            format!("-n {server} link set cable up"),
            format!("-n {client} link set cable up"),
        ] {
            let output = ip(&line).map_err(|error| format!("ip: {error}"))?;
            if !output.status.success() {
                let stderr = String::from_utf8_lossy(&output.stderr);
                return Err(format!("ip {line}: {}", stderr.trim()));
            }
        }
        Ok(namespaces)
    }

    /// Starts this program in a namespace and returns its output, which includes that of the test harness.
    fn start(&mut self, namespace: &str, role: &str) -> Lines {
        let mut process = Command::new("ip")
            .args(["netns", "exec", namespace])
            .arg(env::current_exe().unwrap())
            .args([TEST, "--exact", "--nocapture"])
            .env(ROLE, role)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = Lines(BufReader::new(process.stdout.take().unwrap()));
        self.processes.push(process);
        lines
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
        for namespace in [&self.server, &self.client] {
            let _ = ip(&format!("netns delete {namespace}"));
        }
    }
}

fn ip(line: &str) -> io::Result<Output> {
    Command::new("ip").args(line.split(' ')).output()
}

struct Lines(BufReader<ChildStdout>);

impl Lines {
    /// Waits for a line that contains `text`.
    fn until(&mut self, text: &str) -> String {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            let read = self.0.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "process exited before {text:?}");
        }
        line
    }
}

/// Returns how long it takes a watch to fail after the server disappears, or `None` if the test is skipped.
fn time_to_detect(role: &str) -> Option<Duration> {
    let mut namespaces = match Namespaces::new(role) {
        Ok(namespaces) => namespaces,
        Err(reason) => {
            report_skipped(&format!("dead connections not tested: {reason}"));
            return None;
        }
    };
    let (at_server, at_client) = (namespaces.server.clone(), namespaces.client.clone());
    let mut server = namespaces.start(&at_server, "server");
    server.until("listening");
    let mut client = namespaces.start(&at_client, role);
    client.until("watching");
    let start = Instant::now();
    let dropped = ip(&format!("-n {at_server} route add blackhole {CLIENT}/32")).unwrap();
    assert!(dropped.status.success(), "{dropped:?}");
    client.until("detected");
    Some(start.elapsed())
}

/// Reports a skipped test past the harness, which hides the output of passing tests: to the file of the runner, or to standard error.
fn report_skipped(reason: &str) {
    let file = env::var_os("KB_SKIPPED_TESTS")
        .and_then(|file| OpenOptions::new().append(true).open(file).ok());
    let _ = match file {
        Some(mut file) => file.write_all(format!("{reason}\n").as_bytes()),
        None => io::stderr().write_all(format!("SKIPPED: {reason}\n").as_bytes()),
    };
}

#[test]
fn a_watch_fails_soon_after_its_server_disappears() {
    if let Some(after) = time_to_detect("fast") {
        assert!(
            after > FAST.idle,
            "{after:?}: failed before the first probe"
        );
        assert!(after < Duration::from_secs(8), "{after:?}");
    }
}

#[test]
#[ignore = "slow: run by make test-all"]
fn a_watch_fails_within_45_seconds_with_default_settings() {
    if let Some(after) = time_to_detect("full") {
        assert!(after > Keepalive::DEFAULT.idle, "{after:?}");
        assert!(after < Duration::from_secs(45), "{after:?}");
    }
}

/// Processes of the tests above; does nothing on its own.
#[test]
fn server_and_client() {
    match env::var(ROLE).as_deref() {
        Ok("server") => serve(),
        Ok("fast") => watch(FAST, Duration::from_secs(8)),
        Ok("full") => watch(Keepalive::DEFAULT, Duration::from_secs(45)),
        _ => {}
    }
}

/// Reports to the test that started this process.
fn report(text: &str) {
    let mut stdout = io::stdout();
    stdout.write_all(format!("{text}\n").as_bytes()).unwrap();
    stdout.flush().unwrap();
}

/// Serves one request with a response that never ends.
fn serve() {
    let listener = TcpListener::bind((SERVER, PORT)).unwrap();
    report("listening");
    let (mut connection, _) = listener.accept().unwrap();
    let mut request = [0; 4096];
    assert_ne!(connection.read(&mut request).unwrap(), 0);
    let response =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    connection.write_all(response.as_bytes()).unwrap();
    // Until it is killed.
    let _ = connection.read(&mut request);
}

#[tokio::main(flavor = "current_thread")]
async fn watch(keepalive: Keepalive, limit: Duration) {
    let url = format!("http://{SERVER}:{PORT}");
    let config = Config::new(url.parse().unwrap());
    let client = keepalive.client_builder(config).unwrap().build();
    let config_maps = Api::<ConfigMap>::all(client);
    let events = config_maps.watch(&WatchParams::default(), "0").await;
    let mut events = std::pin::pin!(events.unwrap());
    report("watching");
    let event = tokio::time::timeout(limit, events.next()).await;
    report(&format!("detected: {event:?}"));
}
