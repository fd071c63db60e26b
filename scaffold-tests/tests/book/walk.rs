//! Follows a page, step by step, in a clean folder.

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
    directive, page,
    terminal::{Terminal, missing},
};

/// A reader at work.
struct Walk {
    // Before the folder: what runs in it ends first.
    terminals: BTreeMap<usize, Terminal>,
    cargo: Cargo,
    place: TempDir,
    control_plane: PathBuf,
}

/// Follows a page, and says what was not run; nothing happens where there is no control plane.
pub(crate) fn follow(name: &str) {
    let control_plane = match Binaries::find() {
        Ok(binaries) => binaries.folder().to_owned(),
        Err(error) => {
            return skip(format_args!("nobody followed {name}: {error}"));
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
        "{name}: {run} blocks were run, {} were not:\n{}",
        skipped.len(),
        skipped.join("\n")
    );
}

impl Walk {
    fn new(control_plane: PathBuf) -> Self {
        let place = tempfile::tempdir().unwrap();
        let programs = place.path().join("programs");
        fs::create_dir(&programs).unwrap();
        symlink(
            env!("CARGO_BIN_EXE_kb-rs-under-test"),
            programs.join("kb-rs"),
        )
        .unwrap();
        fs::create_dir(place.path().join("home")).unwrap();
        Self {
            terminals: BTreeMap::new(),
            cargo: Cargo::new().unwrap(),
            place,
            control_plane,
        }
    }

    fn run(&mut self, block: &Run) {
        let repository = page::repository();
        let commands = directive::expand(&block.commands, repository).unwrap();
        let terminal = self.terminal(block.terminal);
        let printed = if block.stays {
            terminal.stay(&commands, &block.printed)
        } else if block.fails {
            // What it says is compared.
            terminal.run(&format!("set +e\n{commands}\nset -e"))
        } else {
            terminal.run(&commands)
        };
        let missing = missing(&printed, &block.printed);
        assert_eq!(missing, None, "{commands}\nprinted\n{printed}");
        self.pin();
    }

    /// A new terminal is in the folder that the reader began in.
    fn terminal(&mut self, number: usize) -> &mut Terminal {
        if !self.terminals.contains_key(&number) {
            let home = self.place.path().join("home");
            let screen = self.place.path().join(format!("terminal-{number}"));
            let mut shell = self.cargo.program(Path::new("bash"), &home);
            let programs = self.place.path().join("programs");
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
                // Several readers are at work at once, and each would have its operator at port 8081.
                .env("HEALTH_PROBE_BIND_ADDRESS", "127.0.0.1:0")
                .env_remove("KUBECONFIG")
                .env_remove("CARGO")
                .env_remove("RUST_LOG");
            self.terminals.insert(number, Terminal::open(shell, screen));
        }
        self.terminals.get_mut(&number).unwrap()
    }

    /// Puts a file into the project that the first terminal is in.
    fn paste(&mut self, from: &str, to: &str) {
        let source = fs::read_to_string(page::repository().join(from)).unwrap();
        let target = self.terminal(1).folder().join(to);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, source).unwrap();
    }

    /// A new project gets the versions that all tests have, so that what is built already is not built again.
    fn pin(&self) {
        let home = self.place.path().join("home");
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
