//! Steps of a page, parsed from its code blocks.
//!
//! - ```` ```sh ```` runs in the first terminal, `sh,terminal-2` in the second, and so on. `stays` marks a command that keeps running, `fails` one that
//!   is expected to fail.
//! - ```` ```text ```` directly below it is the expected output; `…` matches anything.
//! - `sh,network` and `sh,cluster` require resources that a test does not have. They are skipped and reported.
//! - A block whose source is the whole file `…/edited/PATH` is copied to PATH in the project.
//!
//! mdBook turns these words into CSS classes, which the theme displays.

use crate::code::Source;

/// Action of a reader.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Run(Run),
    /// Copies a file of the repository into the project.
    Paste {
        from: String,
        to: String,
    },
    /// Skipped commands, and the resource that they require.
    Skip {
        commands: String,
        needs: String,
    },
}

/// Commands to run in a terminal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub terminal: usize,
    pub commands: String,
    pub stays: bool,
    pub fails: bool,
    pub output: Vec<String>,
}

struct Block<'p> {
    /// Source named by the comment above it.
    source: Option<Source<'p>>,
    info: String,
    text: String,
    /// Whether only blank lines separate it from the block above.
    follows: bool,
}

/// Parses the steps of a page.
pub(crate) fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for block in blocks(page) {
        let mut words = block.info.split(',');
        match words.next().unwrap_or_default() {
            "sh" => steps.push(run_or_skip(&words.collect::<Vec<_>>(), block.text)),
            "text" if block.follows => {
                if let Some(Step::Run(run)) = steps.last_mut() {
                    run.output = block.text.lines().map(ToOwned::to_owned).collect();
                }
            }
            _ => steps.extend(block.source.and_then(paste)),
        }
    }
    steps
}

fn run_or_skip(words: &[&str], commands: String) -> Step {
    let needs = words
        .iter()
        .find(|word| ["network", "cluster"].contains(word));
    if let Some(needs) = needs {
        let needs = (*needs).to_owned();
        return Step::Skip { commands, needs };
    }
    let terminal = words.iter().find_map(|word| word.strip_prefix("terminal-"));
    let known = |word: &&str| ["stays", "fails"].contains(word) || word.starts_with("terminal-");
    assert!(words.iter().all(known), "{words:?} above {commands}");
    Step::Run(Run {
        terminal: terminal.map_or(1, |number| number.parse().unwrap()),
        commands,
        stays: words.contains(&"stays"),
        fails: words.contains(&"fails"),
        output: Vec::new(),
    })
}

fn paste(source: Source) -> Option<Step> {
    let Source::Code { path, items } = source else {
        return None;
    };
    let (_, to) = path.split_once("/edited/")?;
    items.is_empty().then(|| Step::Paste {
        from: path.to_owned(),
        to: to.to_owned(),
    })
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut source = None;
    let mut lines = page.lines();
    let mut follows = false;
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            source = Source::parse(line);
            follows = follows && line.trim().is_empty();
            continue;
        };
        let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        blocks.push(Block {
            source: source.take(),
            info: info.to_owned(),
            text: text.join("\n"),
            follows,
        });
        follows = true;
    }
    blocks
}

#[test]
fn parses_the_steps_of_a_page() {
    let page = "```sh,network\ncurl x\n```\n\n```sh\nls\n```\n\n```text\na …\n```\nand\n```text\nno output\n```\n```sh,terminal-2,stays\ntop\n```\n<!-- code: a/edited/src/main.rs -->\n```rust,ignore\nfn main() {}\n```\n<!-- code: a/edited/src/main.rs fn main -->\n```rust\nfn main() {}\n```";
    let run = |terminal, commands: &str, stays, output: &[&str]| {
        Step::Run(Run {
            terminal,
            commands: commands.to_owned(),
            stays,
            fails: false,
            output: output.iter().map(|line| (*line).to_owned()).collect(),
        })
    };
    let expected = vec![
        Step::Skip {
            commands: "curl x".to_owned(),
            needs: "network".to_owned(),
        },
        run(1, "ls", false, &["a …"]),
        run(2, "top", true, &[]),
        Step::Paste {
            from: "a/edited/src/main.rs".to_owned(),
            to: "src/main.rs".to_owned(),
        },
    ];
    assert_eq!(steps(page), expected);
}
