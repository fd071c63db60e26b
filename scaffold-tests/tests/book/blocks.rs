//! The steps of a page, as a reader takes them: from its code blocks, in order.
//!
//! - ```` ```sh ```` is typed into the first terminal; `sh,terminal-2` into the second, and so on. `stays` says that the command does not end, `fails`
//!   that it is refused.
//! - ```` ```text ```` right below it is what is printed; `…` stands for anything.
//! - `sh,network` and `sh,cluster` need what a test does not have. They are not run, and are counted.
//! - A block that shows a whole file of `…/edited/PATH` is put into the file PATH of the project.
//!
//! mdBook makes classes of these words, and the book's style sheet shows them.

use crate::directive;

/// What a reader does.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Run(Run),
    /// Puts a file of the repository into the project.
    Paste {
        from: String,
        to: String,
    },
    /// Commands that are not run here, and what they need.
    Skip {
        commands: String,
        needs: String,
    },
}

/// Commands that are typed into a terminal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub terminal: usize,
    pub commands: String,
    pub stays: bool,
    pub fails: bool,
    pub printed: Vec<String>,
}

/// A code block: its language with the words behind it, and its text.
struct Block {
    info: String,
    text: String,
    /// Whether nothing but blank lines is between it and the block above.
    follows: bool,
}

/// The steps of a page whose directives have not been carried out.
pub(crate) fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for block in blocks(page) {
        let mut words = block.info.split(',');
        match words.next().unwrap_or_default() {
            "sh" => steps.push(typed(&words.collect::<Vec<_>>(), block.text)),
            "text" if block.follows => {
                if let Some(Step::Run(run)) = steps.last_mut() {
                    run.printed = block.text.lines().map(ToOwned::to_owned).collect();
                }
            }
            _ => steps.extend(pasted(&block.text)),
        }
    }
    steps
}

fn typed(words: &[&str], commands: String) -> Step {
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
        printed: Vec::new(),
    })
}

fn pasted(text: &str) -> Option<Step> {
    let (name, from) = directive::parse(text.trim())?;
    let (_, to) = from.split_once("/edited/")?;
    (name == "code" && !from.contains(' ')).then(|| Step::Paste {
        from: from.to_owned(),
        to: to.to_owned(),
    })
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut lines = page.lines();
    let mut follows = false;
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            follows = follows && line.trim().is_empty();
            continue;
        };
        let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        blocks.push(Block {
            info: info.to_owned(),
            text: text.join("\n"),
            follows,
        });
        follows = true;
    }
    blocks
}

#[test]
fn a_page_is_read_as_a_reader_reads_it() {
    let page = "```sh,network\ncurl x\n```\n\n```sh\nls\n```\n\n```text\na …\n```\nand\n```text\nno output\n```\n```sh,terminal-2,stays\ntop\n```\n```rust,ignore\n{{#code a/edited/src/main.rs}}\n```\n```rust\n{{#code a/edited/src/main.rs fn main}}\n```";
    let run = |terminal, commands: &str, stays, printed: &[&str]| {
        Step::Run(Run {
            terminal,
            commands: commands.to_owned(),
            stays,
            fails: false,
            printed: printed.iter().map(|line| (*line).to_owned()).collect(),
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
