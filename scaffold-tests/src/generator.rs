//! The command line of programs that generate a committed file.

use std::{env, fs};

use anyhow::{Context, Result, bail};

/// Prints the generated text, or compares it with a committed file if the arguments end in `--check FILE`.
#[allow(clippy::print_stdout, reason = "the text is the output of the program")]
pub fn print_or_check(
    program: &str,
    arguments: &str,
    generate: impl Fn(&[&str]) -> Result<String>,
) -> Result<()> {
    let given: Vec<String> = env::args().skip(1).collect();
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    let count = arguments.split(' ').count();
    match given.split_at_checked(count) {
        Some((given, [])) => print!("{}", generate(given)?),
        Some((given, ["--check", file])) => {
            let committed =
                fs::read_to_string(file).with_context(|| format!("failed to read {file}"))?;
            if committed != generate(given)? {
                bail!(
                    "{file} is out of date. To update it:\n  \
                     cargo run -p scaffold-tests --bin {program} -- {} > {file}",
                    given.join(" ")
                );
            }
        }
        _ => bail!("usage: {program} {arguments} [--check FILE]"),
    }
    Ok(())
}
