//! Gathers the CRDs: from the sources, or from crdgen, or from both.

use std::{collections::BTreeSet, mem, path::Path, thread};

use kb_model::crd::{self, Crd, Options};

use super::{
    args::GenerateArgs,
    source_files::{SourceFiles, Unwatched},
};
use crate::{
    cargo::Cargo,
    disk,
    ops::generate::{self, Comments, crds_of, texts},
    plan::RelPath,
    problem::{Failure, Problem},
    show::{Printer, difference},
    source::{self, Reading, Reason, RuleFiles},
};

/// The folder of the API crate.
const API: &str = "api";

/// The CRDs of the project in `root`, sorted; none, if it has no API crate and PROJECT has no kinds for one. The rules in the files
/// that are read on the way are noted in `rules`.
pub(super) fn gather(
    args: &GenerateArgs,
    root: &Path,
    files: &SourceFiles<'_>,
    printer: Printer,
    has_kinds: bool,
    rules: &mut RuleFiles,
) -> Result<Vec<Crd>, Failure> {
    let api = RelPath::new(API);
    let manifest = format!("{API}/Cargo.toml");
    if source::Files::text(files, &RelPath::new(manifest.clone())) == Ok(None) {
        if has_kinds {
            let problem = format!("{manifest} does not exist, and PROJECT has kinds");
            let help = "restore the API crate: kb-rs looks for it in the folder `api`";
            return Err(Problem::new(problem, help).into());
        }
        return Ok(Vec::new());
    }
    let why = match (args.build, args.describe_core_types) {
        (true, _) => Some("--build asks for it"),
        (_, true) => Some("only it has the descriptions of Kubernetes' types"),
        _ => None,
    };
    if let Some(why) = why {
        // A watch has to know the sources all the same.
        if args.watch {
            let _ = source::read(&api, files);
        }
        return built(args, root, files, why, printer);
    }
    if let Some((crds, found)) = shared(args, root, files) {
        *rules = found;
        return verified(args, root, files, crds, printer);
    }
    let mut reading = source::read(&api, files)?;
    *rules = mem::take(&mut reading.rules);
    for warning in &reading.warnings {
        printer.warning(warning);
    }
    if let Some(reason) = reading.reasons.first() {
        if args.verify {
            printer.note("the sources alone do not say everything: there is nothing to compare");
        }
        let why = because(reason, reading.reasons.len() - 1);
        return built(args, root, files, &why, printer);
    }
    let crds = read(args, files, &reading)?;
    verified(args, root, files, crds, printer)
}

/// The CRDs, after a comparison with those of crdgen if that is asked for.
fn verified(
    args: &GenerateArgs,
    root: &Path,
    files: &SourceFiles<'_>,
    crds: Vec<Crd>,
    printer: Printer,
) -> Result<Vec<Crd>, Failure> {
    if args.verify {
        let why = "--verify compares with it";
        compare(&crds, &built(args, root, files, why, printer)?)?;
    }
    Ok(crds)
}

/// The CRDs of a large API, read on all processors; none if one thread has to look at it, or if there are few.
fn shared(
    args: &GenerateArgs,
    root: &Path,
    files: &SourceFiles<'_>,
) -> Option<(Vec<Crd>, RuleFiles)> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // A watch notes what is looked at, in one place.
    if args.watch || threads < 2 {
        return None;
    }
    let list = source::Files::text(files, &RelPath::new(format!("{API}/src/lib.rs"))).ok()??;
    if list.matches("::definition()").count() < LARGE {
        return None;
    }
    let sources = Unwatched(root);
    let threads = threads.min(MOST_THREADS);
    let (definitions, rules) = source::read_shared(&RelPath::new(API), &sources, threads)?;
    let crds = crd::build(&definitions, &options(args)).ok()?;
    let losses = crd::losses(&definitions, &converted(files));
    losses.is_empty().then_some((crds, rules))
}

/// The CRDs with a conversion webhook.
fn converted(files: &SourceFiles<'_>) -> BTreeSet<String> {
    generate::converted(|path| source::Files::text(files, path).ok().flatten())
}

/// Fewer kinds than this are read before a thread has started.
const LARGE: usize = 16;

/// Each thread parses what is not the file of a kind, so more of them gain little.
const MOST_THREADS: usize = 8;

/// What the flags say of the documents.
fn options(args: &GenerateArgs) -> Options {
    Options {
        max_desc_len: args.max_desc_len,
        ..Options::default()
    }
}

/// The fast path's ending.
fn read(
    args: &GenerateArgs,
    files: &SourceFiles<'_>,
    reading: &Reading,
) -> Result<Vec<Crd>, Failure> {
    let crds = crd::build(&reading.definitions, &options(args)).and_then(|crds| {
        let losses = crd::losses(&reading.definitions, &converted(files));
        if losses.is_empty() {
            Ok(crds)
        } else {
            Err(losses)
        }
    });
    crds.map_err(|problems| {
        let diagnostics: Vec<_> = problems
            .iter()
            .map(|problem| reading.sources.locate(problem))
            .collect();
        diagnostics.into()
    })
}

/// The slow path.
fn built(
    args: &GenerateArgs,
    root: &Path,
    files: &SourceFiles<'_>,
    why: &str,
    printer: Printer,
) -> Result<Vec<Crd>, Failure> {
    printer.note(&format!("building crdgen: {why}"));
    let cargo = Cargo {
        program: &args.cargo,
        root,
        quiet: args.output.is_quiet(),
    };
    let answer = cargo.crdgen(args.describe_core_types, &converted(files))?;
    if let Some(remarks) = answer.remarks {
        printer.note(&format!("crdgen says: {remarks}"));
    }
    crds_of(answer.documents, args.max_desc_len).map_err(Failure::refused)
}

fn because(reason: &Reason, others: usize) -> String {
    let place = match reason.line {
        0 => reason.path.to_string(),
        line => format!("{}:{line}", reason.path),
    };
    let more = match others {
        0 => String::new(),
        1 => ", and 1 more reason".to_owned(),
        _ => format!(", and {others} more reasons"),
    };
    format!("{} ({place}){more}", reason.text)
}

/// Both paths must say the same.
fn compare(read: &[Crd], built: &[Crd]) -> Result<(), Failure> {
    let (ours, theirs) = ("as read from the sources", "as crdgen prints it");
    let text = |crds: &[Crd]| texts(crds, &Comments::default()).concat();
    let mut names: Vec<String> = read.iter().chain(built).map(Crd::name).collect();
    names.sort();
    names.dedup();
    let of = |crds: &[Crd], name: &str| {
        crds.iter()
            .filter(|crd| crd.name() == name)
            .cloned()
            .collect::<Vec<_>>()
    };
    let mut problems = Vec::new();
    for name in names {
        let (one, other) = (of(read, &name), of(built, &name));
        if one
            .iter()
            .map(|crd| &crd.document)
            .eq(other.iter().map(|crd| &crd.document))
        {
            continue;
        }
        problems.push(Problem {
            paste: Some(difference([ours, theirs], [&text(&one), &text(&other)])),
            ..Problem::new(
                format!("the CRD {name} is not the same on both paths"),
                "this is a mistake of kb-rs: please report it with the type, and use --build until it is mended. The difference:",
            )
        });
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::refused(problems))
    }
}

/// Notes what else a watch waits for: the header, and a crate that is not there yet.
pub(super) fn also_seen(args: &GenerateArgs, root: &Path, seen: &mut disk::Stamps) {
    seen.add(&root.join(API));
    seen.add(&root.join("PROJECT"));
    if let Some(header) = &args.header_file {
        seen.add(header);
    }
}
