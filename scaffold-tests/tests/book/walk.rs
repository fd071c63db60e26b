//! Follows the steps of a page in an empty directory.

use std::{
    collections::BTreeMap,
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use kb_envtest::Binaries;
use scaffold_tests::{Cargo, skip};
use tempfile::TempDir;

use crate::{
    blocks::{self, Run, Step},
    page,
    terminal::{Terminal, missing},
};

struct Walk {
    // Dropped before the directory that its programs use.
    terminals: BTreeMap<usize, Terminal>,
    cargo: Cargo,
    directory: TempDir,
    control_plane: PathBuf,
}

/// Follows a page and reports skipped commands. Skips the page if there is no control plane.
pub(crate) fn follow(name: &str) {
    let control_plane = match Binaries::find() {
        Ok(binaries) => binaries.dir().to_owned(),
        Err(error) => {
            return skip(format_args!("cannot follow {name}: {error}"));
        }
    };
    let text = page::read(name);
    let steps = blocks::steps(&text);
    let mut walk = Walk::new(control_plane);
    let (mut run, mut skipped) = (0, Vec::new());
    for step in steps {
        match step {
            Step::Run(block) => {
                run += 1;
                walk.run(&block);
            }
            Step::Paste { from, to } => walk.paste(&from, &to),
            Step::Skip { commands, needs } => skipped.push(format!("  ({needs}) {commands}")),
        }
    }
    assert!(run > 0, "{name} has no commands");
    eprintln!(
        "{name}: ran {run} blocks, skipped {}:\n{}",
        skipped.len(),
        skipped.join("\n")
    );
}

impl Walk {
    fn new(control_plane: PathBuf) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let programs = directory.path().join("programs");
        fs::create_dir(&programs).unwrap();
        symlink(
            env!("CARGO_BIN_EXE_kb-rs-under-test"),
            programs.join("kb-rs"),
        )
        .unwrap();
        fs::create_dir(directory.path().join("home")).unwrap();
        Self {
            terminals: BTreeMap::new(),
            cargo: Cargo::new().unwrap(),
            directory,
            control_plane,
        }
    }

    fn run(&mut self, block: &Run) {
        let commands = &block.commands;
        let terminal = self.terminal(block.terminal);
        let printed = if block.stays {
            terminal.stay(commands, &block.output)
        } else if block.fails {
            terminal.run(&format!("set +e\n{commands}\nset -e"))
        } else {
            terminal.run(commands)
        };
        let missing = missing(&printed, &block.output);
        assert_eq!(missing, None, "{commands}\nprinted\n{printed}");
        self.pin();
    }

    /// Returns a terminal, which opens in the home directory.
    fn terminal(&mut self, number: usize) -> &mut Terminal {
        if !self.terminals.contains_key(&number) {
            let home = self.directory.path().join("home");
            let screen = self.directory.path().join(format!("terminal-{number}"));
            let mut shell = self.cargo.program(Path::new("bash"), &home);
            let programs = self.directory.path().join("programs");
            let path = env::var_os("PATH").unwrap();
            let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path)));
            shell
                .env("PATH", path.unwrap())
                .env(
                    "KB_SOURCE",
                    format!("path:{}", page::repository().display()),
                )
                .env("KUBEBUILDER_ASSETS", &self.control_plane)
                .env("CARGO_TERM_COLOR", "never")
                // Tests run in parallel, and 8081 is one port.
                .env("HEALTH_PROBE_BIND_ADDRESS", "127.0.0.1:0")
                .env_remove("KUBECONFIG")
                .env_remove("CARGO")
                .env_remove("RUST_LOG");
            self.terminals.insert(number, Terminal::open(shell, screen));
        }
        self.terminals.get_mut(&number).unwrap()
    }

    /// Copies a file into the project of the first terminal.
    fn paste(&mut self, from: &str, to: &str) {
        let source = fs::read_to_string(page::repository().join(from)).unwrap();
        let target = self.terminal(1).working_directory().join(to);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, source).unwrap();
    }

    /// Pins the dependencies of a new project to those of the other tests, whose build it shares.
    fn pin(&self) {
        let home = self.directory.path().join("home");
        for entry in fs::read_dir(home).unwrap() {
            let project = entry.unwrap().path();
            let lock = project.join("Cargo.lock");
            if project.join("Cargo.toml").exists() && !lock.exists() {
                let pinned = page::repository().join("scaffold-tests/goldens.lock");
                fs::copy(pinned, lock).unwrap();
            }
        }
    }
}
