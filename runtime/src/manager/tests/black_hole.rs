//! An API server that is gone without a word: packets from it are dropped, so that nothing is acknowledged, and nothing is reset.
//!
//! A proxy cannot play that, because the kernel behind it acknowledges what it is sent. So server and client run in network namespaces of their own, each as
//! this test program once more, and a route drops the server's packets. Nothing outside of the namespaces changes.
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

/// What this program does when it is started once more.
const ROLE: &str = "KB_TEST_BLACK_HOLE";
const ITSELF: &str = "manager::tests::black_hole::server_and_client";

const SERVER: &str = "10.0.0.1";
const CLIENT: &str = "10.0.0.2";
const PORT: u16 = 8080;

const FAST: Keepalive = Keepalive {
    idle: Duration::from_secs(1),
    interval: Duration::from_secs(1),
    probes: 2,
    unacknowledged: Duration::from_secs(2),
};

/// A namespace for the server and one for the client, with a cable between them; gone when this is dropped.
struct Namespaces {
    server: String,
    client: String,
    processes: Vec<Child>,
}

impl Namespaces {
    /// Fails where namespaces are not allowed, or `ip` is missing.
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
                let said = String::from_utf8_lossy(&output.stderr);
                return Err(format!("ip {line}: {}", said.trim()));
            }
        }
        Ok(namespaces)
    }

    /// Starts this program in a namespace. Its output has lines of its own among those of the test harness.
    fn start(&mut self, namespace: &str, role: &str) -> Lines {
        let mut process = Command::new("ip")
            .args(["netns", "exec", namespace])
            .arg(env::current_exe().unwrap())
            .args([ITSELF, "--exact", "--nocapture"])
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
    /// Waits for a line that contains this text.
    fn until(&mut self, text: &str) -> String {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            let read = self.0.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "it ended before it said {text:?}");
        }
        line
    }
}

/// How long a watch goes on after the server is gone; none if that cannot be tried here.
fn noticed_after(role: &str) -> Option<Duration> {
    let mut namespaces = match Namespaces::new(role) {
        Ok(namespaces) => namespaces,
        Err(reason) => {
            report_skipped(&format!("no dead connection was tested: {reason}"));
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
    client.until("noticed");
    Some(start.elapsed())
}

/// Tells it past the test harness, which hides the output of tests that pass: to the file in which a runner counts, or on standard error.
fn report_skipped(reason: &str) {
    let file = env::var_os("KB_SKIPPED_TESTS")
        .and_then(|file| OpenOptions::new().append(true).open(file).ok());
    let _ = match file {
        Some(mut file) => file.write_all(format!("{reason}\n").as_bytes()),
        None => io::stderr().write_all(format!("SKIPPED: {reason}\n").as_bytes()),
    };
}

#[test]
fn a_watch_fails_soon_after_its_server_is_gone_without_a_word() {
    if let Some(after) = noticed_after("fast") {
        assert!(after > FAST.idle, "{after:?}: it was not the silence");
        assert!(after < Duration::from_secs(8), "{after:?}");
    }
}

#[test]
#[ignore = "slow: run by make test-all"]
fn a_watch_fails_within_45_seconds_with_the_times_of_the_manager() {
    if let Some(after) = noticed_after("full") {
        assert!(after > Keepalive::DEFAULT.idle, "{after:?}");
        assert!(after < Duration::from_secs(45), "{after:?}");
    }
}

/// The processes of the tests above; on its own it does nothing.
#[test]
fn server_and_client() {
    match env::var(ROLE).as_deref() {
        Ok("server") => serve(),
        Ok("fast") => watch(FAST, Duration::from_secs(8)),
        Ok("full") => watch(Keepalive::DEFAULT, Duration::from_secs(45)),
        _ => {}
    }
}

/// Tells the test that started this process.
fn tell(text: &str) {
    let mut stdout = io::stdout();
    stdout.write_all(format!("{text}\n").as_bytes()).unwrap();
    stdout.flush().unwrap();
}

/// Answers one request with a response that has no end.
fn serve() {
    let listener = TcpListener::bind((SERVER, PORT)).unwrap();
    tell("listening");
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
async fn watch(keepalive: Keepalive, patience: Duration) {
    let url = format!("http://{SERVER}:{PORT}");
    let config = Config::new(url.parse().unwrap());
    let client = keepalive.client_builder(config).unwrap().build();
    let config_maps = Api::<ConfigMap>::all(client);
    let events = config_maps.watch(&WatchParams::default(), "0").await;
    let mut events = std::pin::pin!(events.unwrap());
    tell("watching");
    let event = tokio::time::timeout(patience, events.next()).await;
    tell(&format!("noticed: {event:?}"));
}
