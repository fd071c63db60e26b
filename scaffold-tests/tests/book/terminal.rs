//! Shell with piped input and captured output.

use std::{
    fs::{self, File},
    io::Write as _,
    os::unix::process::CommandExt as _,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Long enough to build all dependencies.
const TIMEOUT: Duration = Duration::from_secs(40 * 60);

/// Prefix of the line that ends the output of a block.
const DONE: &str = "@@ block done";

pub(crate) struct Terminal {
    shell: Child,
    screen: PathBuf,
    blocks: usize,
}

impl Terminal {
    /// Starts a shell that exits at the first failing command, with a file as its screen.
    pub(crate) fn open(mut shell: Command, screen: PathBuf) -> Self {
        let output = File::create(&screen).unwrap();
        shell
            .arg("-e")
            .stdin(Stdio::piped())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            // Ctrl-C must not reach the test itself.
            .process_group(0);
        Self {
            shell: shell.spawn().unwrap(),
            screen,
            blocks: 0,
        }
    }

    /// Runs commands to completion and returns their output.
    pub(crate) fn run(&mut self, commands: &str) -> String {
        let from = self.screen_length();
        self.blocks += 1;
        let done = format!("{DONE} {}", self.blocks);
        self.write(&format!("{commands}\necho '{done}'\n"));
        self.wait(from, commands, |printed| printed.contains(&done))
            .replace(&done, "")
    }

    /// Starts a command that keeps running and waits for its output.
    pub(crate) fn stay(&mut self, commands: &str, expected: &[String]) -> String {
        let from = self.screen_length();
        self.write(&format!("{commands}\n"));
        self.wait(from, commands, |text| missing(text, expected).is_none())
    }

    pub(crate) fn working_directory(&mut self) -> PathBuf {
        PathBuf::from(self.run("pwd").trim())
    }

    fn write(&mut self, text: &str) {
        let keyboard = self.shell.stdin.as_mut().unwrap();
        keyboard.write_all(text.as_bytes()).unwrap();
    }

    fn screen_length(&self) -> usize {
        fs::read(&self.screen).unwrap().len()
    }

    fn wait(&mut self, from: usize, commands: &str, is_done: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let ended = self.shell.try_wait().unwrap();
            let screen = fs::read(&self.screen).unwrap();
            let printed = String::from_utf8_lossy(&screen[from..]).into_owned();
            if is_done(&printed) {
                return printed;
            }
            assert!(ended.is_none(), "failed:\n{commands}\n\n{printed}");
            assert!(
                start.elapsed() < TIMEOUT,
                "timed out:\n{commands}\n\n{printed}"
            );
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Sends SIGINT to all programs of the terminal, then SIGKILL.
    fn close(&mut self) {
        drop(self.shell.stdin.take());
        let group = format!("-{}", self.shell.id());
        for (signal, timeout) in [("-INT", 30), ("-KILL", 5)] {
            let _ = Command::new("kill")
                .args([signal, "--", &group])
                .stderr(Stdio::null())
                .status();
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(timeout) {
                if self.shell.try_wait().is_ok_and(|ended| ended.is_some()) {
                    return;
                }
                thread::sleep(Duration::from_millis(50));
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.close();
    }
}

/// Returns the first expected line that the text lacks. `…` matches anything.
pub(crate) fn missing<'l>(text: &str, lines: &'l [String]) -> Option<&'l str> {
    let mut printed = text.lines();
    let expected = lines
        .iter()
        .filter(|line| line.trim() != "…" && !line.trim().is_empty());
    let mut expected = expected.map(String::as_str);
    expected.find(|line| !printed.any(|printed| matches(printed, line)))
}

fn matches(printed: &str, line: &str) -> bool {
    let mut rest = printed;
    let parts: Vec<&str> = line.split('…').collect();
    let last = parts.len() - 1;
    for (index, part) in parts.iter().enumerate() {
        let Some(at) = rest.find(part) else {
            return false;
        };
        let is_anchored = index > 0 || at == 0;
        let is_complete = index < last || rest.ends_with(part);
        if !is_anchored || !is_complete {
            return false;
        }
        rest = &rest[at + part.len()..];
    }
    true
}

#[test]
fn ellipsis_matches_anything() {
    let lines = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    let text = "NAME   AGE\nsample   5s\nlast";
    assert_eq!(missing(text, &lines(&["NAME   AGE", "sample   …"])), None);
    assert_eq!(missing(text, &lines(&["…AGE", "…", "last"])), None);
    assert_eq!(missing(text, &lines(&["sample"])), Some("sample"));
    assert_eq!(
        missing(text, &lines(&["last", "NAME   AGE"])),
        Some("NAME   AGE")
    );
}
