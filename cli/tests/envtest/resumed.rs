//! A download over HTTP, interrupted once and resumed by the next command. kb-envtest's tests cover the rest.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    thread,
};

use crate::{Machine, assert_snapshot, stderr};

/// Number of bytes before the first connection closes.
const CUT: usize = 40;

/// Serves a directory. Of an archive, serves only the first bytes, and the rest in response to a range request.
fn serve(dir: PathBuf) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            respond(stream, &dir);
        }
    });
    url
}

fn respond(mut stream: TcpStream, dir: &std::path::Path) {
    let lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let request: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let Some(path) = request.first().and_then(|line| line.split(' ').nth(1)) else {
        return;
    };
    let bytes = fs::read(dir.join(path.trim_start_matches('/'))).unwrap();
    let (size, last) = (bytes.len(), bytes.len() - 1);
    let resumes = request
        .iter()
        .any(|line| line.eq_ignore_ascii_case(&format!("range: bytes={CUT}-")));
    let (head, body) = match (path == "/archive.tar.gz", resumes) {
        (true, true) => (
            format!(
                "206 Partial\r\ncontent-range: bytes {CUT}-{last}/{size}\r\ncontent-length: {}",
                size - CUT
            ),
            &bytes[CUT..],
        ),
        (true, false) => (format!("200 OK\r\ncontent-length: {size}"), &bytes[..CUT]),
        _ => (format!("200 OK\r\ncontent-length: {size}"), &bytes[..]),
    };
    let head = format!("HTTP/1.1 {head}\r\nconnection: close\r\n\r\n");
    stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
}

#[test]
fn resumes_an_interrupted_download() {
    let machine = Machine::new();
    let url = serve(machine.root.path().to_owned());
    let index = format!("{url}/index.yaml");
    let size = fs::metadata(machine.root.path().join("archive.tar.gz"))
        .unwrap()
        .len();
    let redacted = |text: String| text.replace(&url, "URL").replace(&size.to_string(), "SIZE");
    let problem = machine.problem(&["use", "--index", &index]);
    assert_snapshot("interrupted_download", redacted(problem));

    let output = machine.run(&["use", "--index", &index]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(machine.dir("v1.36.2").join("kubectl").exists() || cfg!(windows));
    // No progress bar outside a terminal.
    assert_snapshot("resumed_download", redacted(machine.redacted(&output)));
}

#[cfg(target_os = "linux")]
#[test]
fn shows_a_progress_bar_on_a_terminal_unless_quiet() {
    use std::process::{Command, Stdio};

    const CLEAR_LINE: &str = "\u{1b}[2K";

    let machine = Machine::new();
    let in_terminal = |flags: &str| {
        let cache = machine.root.path().join(format!("cache{flags}"));
        let program = env!("CARGO_BIN_EXE_kb-rs");
        let index = machine.root.path().join("index.yaml");
        let index = index.display();
        Command::new("script")
            .args(["--quiet", "--return", "--command"])
            .arg(format!(
                "{program} envtest use --index {index} --dir {} {flags}",
                cache.display()
            ))
            .arg("/dev/null")
            .env("TERM", "xterm")
            .stdin(Stdio::null())
            .output()
    };
    let Ok(shown) = in_terminal("") else {
        let ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!ci, "`script` is required in CI to emulate a terminal");
        return;
    };
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains(CLEAR_LINE), "{shown}");
    for flags in ["--quiet", "--output=json"] {
        let shown = in_terminal(flags).unwrap();
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(!shown.contains(CLEAR_LINE), "{shown}");
    }
}
