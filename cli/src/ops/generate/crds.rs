//! Loads the CRDs: from the sources, from crdgen or from both.

use std::{collections::BTreeSet, mem};

use kb_model::crd::{self, Crd};

use super::{Comments, CrdOptions, Host, conversion, crd_files::texts, crdgen_output::crds_of};
use crate::{
    plan::RelPath,
    problem::{Failure, Problem},
    show::difference,
    source::{self, FallbackReason, ParsedApi, RuleCache},
};

/// The directory of the API crate.
pub(crate) const API_CRATE: &str = "api";

/// Loads the CRDs of the project, sorted by group and plural. Returns none for a project without an API crate, unless PROJECT records
/// kinds. Adds the RBAC rules of the files it reads to `rules`.
pub(super) fn load(
    options: &CrdOptions,
    has_kinds: bool,
    host: &dyn Host,
    rules: &mut RuleCache,
) -> Result<Vec<Crd>, Failure> {
    let manifest = format!("{API_CRATE}/Cargo.toml");
    if host.sources().text(&RelPath::new(manifest.clone())) == Ok(None) {
        if has_kinds {
            let problem = format!("{manifest} does not exist, but PROJECT has APIs");
            let help = "restore the API crate in the directory `api`";
            return Err(Problem::new(problem, help).into());
        }
        return Ok(Vec::new());
    }
    let why = match (options.build, options.describe_core_types) {
        (true, _) => Some("--build is set"),
        (_, true) => Some("--describe-core-types is set"),
        _ => None,
    };
    let reading = source::read(&RelPath::new(API_CRATE), host.sources());
    if let Some(why) = why {
        return build(options, why, host);
    }
    let mut reading = reading?;
    *rules = mem::take(&mut reading.rules);
    for warning in &reading.warnings {
        host.warn(warning);
    }
    if let Some(reason) = reading.reasons.first() {
        if options.verify {
            host.note("nothing to verify: the sources alone do not determine the CRDs");
        }
        let why = because(reason, reading.reasons.len() - 1);
        return build(options, &why, host);
    }
    let crds = from_sources(options, &reading, host)?;
    if options.verify {
        compare(&crds, &build(options, "--verify is set", host)?)?;
    }
    Ok(crds)
}

/// Returns the names of the CRDs with a conversion webhook.
fn converted(host: &dyn Host) -> BTreeSet<String> {
    conversion::converted(|path| host.sources().text(path).ok().flatten())
}

fn from_sources(
    options: &CrdOptions,
    reading: &ParsedApi,
    host: &dyn Host,
) -> Result<Vec<Crd>, Failure> {
    let crd_options = crd::Options {
        max_desc_len: options.max_desc_len,
        ..crd::Options::default()
    };
    let crds = crd::build(&reading.definitions, &crd_options).and_then(|crds| {
        let losses = crd::losses(&reading.definitions, &converted(host));
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

/// Builds and runs crdgen.
fn build(options: &CrdOptions, why: &str, host: &dyn Host) -> Result<Vec<Crd>, Failure> {
    let output = host.crdgen(why, options.describe_core_types, &converted(host))?;
    if let Some(remarks) = output.remarks {
        host.note(&format!("crdgen: {remarks}"));
    }
    crds_of(output.documents, options.max_desc_len).map_err(Failure::refused)
}

fn because(reason: &FallbackReason, others: usize) -> String {
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

/// Reports every CRD that differs between the sources and crdgen.
fn compare(read: &[Crd], built: &[Crd]) -> Result<(), Failure> {
    let labels = ["from the sources", "from crdgen"];
    let names: BTreeSet<String> = read.iter().chain(built).map(Crd::name).collect();
    let filtered = |crds: &[Crd], name: &str| -> Vec<Crd> {
        let crds = crds.iter().filter(|crd| crd.name() == name);
        crds.cloned().collect()
    };
    let text = |crds: &[Crd]| texts(crds, &Comments::default()).concat();
    let mut problems = Vec::new();
    for name in names {
        let (read, built) = (filtered(read, &name), filtered(built, &name));
        let documents = read.iter().map(|crd| &crd.document);
        if documents.eq(built.iter().map(|crd| &crd.document)) {
            continue;
        }
        problems.push(Problem {
            paste: Some(difference(labels, [&text(&read), &text(&built)])),
            ..Problem::new(
                format!("CRD {name} differs between the sources and crdgen"),
                "this is a bug in kb-rs: report it with the type, and work around it with --build. The difference:",
            )
        });
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::refused(problems))
    }
}
