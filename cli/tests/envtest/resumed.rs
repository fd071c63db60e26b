//! A download over HTTP that is cut off once, and continued by the next call. The library's tests have the rest.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    thread,
};

use crate::{Machine, stderr};

/// Where the first connection is cut.
const CUT: usize = 40;

/// Serves the files of a folder: all of them, but only the beginning of an archive, and the rest of it when that is asked for.
fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            answer(stream, &folder);
        }
    });
    url
}

fn answer(mut stream: TcpStream, folder: &std::path::Path) {
    let lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let request: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let Some(path) = request.first().and_then(|line| line.split(' ').nth(1)) else {
        return;
    };
    let bytes = fs::read(folder.join(path.trim_start_matches('/'))).unwrap();
    let (size, last) = (bytes.len(), bytes.len() - 1);
    let goes_on = request
        .iter()
        .any(|line| line.eq_ignore_ascii_case(&format!("range: bytes={CUT}-")));
    let (head, body) = match (path == "/archive.tar.gz", goes_on) {
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
fn a_download_that_was_cut_off_goes_on() {
    let machine = Machine::new();
    let index = format!("{}/index.yaml", serve(machine.root.path().to_owned()));
    let problem = machine.problem(&["use", "--index", &index]);
    assert!(
        problem.contains(&format!("was cut after {CUT} bytes of")),
        "{problem}"
    );
    assert!(problem.contains("help: what has come is kept"), "{problem}");

    let output = machine.run(&["use", "--index", &index]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(machine.folder("v1.36.2").join("kubectl").exists() || cfg!(windows));
    let shown = stderr(&output);
    assert!(
        shown.starts_with("note: downloading v1.36.2 for "),
        "{shown}"
    );
    assert_eq!(
        shown.lines().count(),
        1,
        "no bar outside of a terminal: {shown}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_bar_is_shown_on_a_terminal_and_not_when_it_is_quiet() {
    use std::process::{Command, Stdio};

    let machine = Machine::new();
    let on_a_terminal = |flags: &str| {
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
    let Ok(shown) = on_a_terminal("") else {
        let ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!ci, "`script` is needed to try the command on a terminal");
        return;
    };
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("checking the sum"), "{shown}");
    for flags in ["--quiet", "--output=json"] {
        let shown = on_a_terminal(flags).unwrap();
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(!shown.contains("checking the sum"), "{shown}");
    }
}
