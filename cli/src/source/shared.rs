//! Reads a large API crate on several threads.
//!
//! Each thread reads the whole crate, except that the file of a kind is parsed by one of them, and the others take its outline. So
//! each has every name, and the kinds of its own files. Their result counts only if nothing at all is to be said of the crate, and no
//! thread needed what another has: otherwise one thread reads it alone, and what it finds is exact.

use std::{
    collections::HashMap,
    iter,
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
};

use kb_model::crd::Definition;

use super::{
    Files, STACK_SIZE, annotated, files::Loader, instances::Builder, outline::Declared,
    rules::RuleFiles, tree::Content,
};
use crate::plan::RelPath;

/// The definitions of the crate in the folder `root`, and the rules in its files, if nothing stands in the way.
pub(crate) fn read_shared(
    root: &RelPath,
    files: &(dyn Files + Sync),
    threads: usize,
) -> Option<(Vec<Definition>, RuleFiles)> {
    let exchange = Exchange::default();
    let share = |position| {
        Share {
            exchange: &exchange,
            position,
            threads,
            next: 0,
        }
        .read(root, files)
    };
    let shares: Vec<Option<(Kinds, RuleFiles)>> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|position| {
                let thread = thread::Builder::new().stack_size(STACK_SIZE);
                let started = thread.spawn_scoped(scope, move || share(position));
                if started.is_err() {
                    // The others would wait for its files.
                    exchange.lock().left = true;
                }
                started
            })
            .collect();
        let own = share(0);
        let others = others
            .into_iter()
            .map(|other| other.ok()?.join().unwrap_or_default());
        iter::once(own).chain(others).collect()
    });
    let mut kinds = Vec::new();
    let mut rules = RuleFiles::default();
    for share in shares {
        let (own_kinds, own_rules) = share?;
        kinds.push(own_kinds);
        rules.extend(own_rules);
    }
    Some((merge(kinds)?, rules))
}

/// The listed kinds in order: none where another thread has it.
type Kinds = Vec<Option<Definition>>;

/// Each kind from the first thread that has it.
fn merge(shares: Vec<Kinds>) -> Option<Vec<Definition>> {
    let mut shares = shares.into_iter();
    let mut merged = shares.next()?;
    for share in shares {
        if share.len() != merged.len() {
            return None;
        }
        for (known, other) in merged.iter_mut().zip(share) {
            *known = known.take().or(other);
        }
    }
    merged.into_iter().collect()
}

/// Outlines, from the thread that parsed a file to those that did not.
#[derive(Default)]
struct Exchange {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    outlines: HashMap<RelPath, Option<Arc<Vec<Declared>>>>,
    /// The file whose outline each thread waits for.
    waiting: HashMap<usize, RelPath>,
    /// A thread is through, maybe too early, or all of them wait: there is no use in waiting.
    left: bool,
}

impl State {
    /// Whether all threads wait, and for files that nobody has parsed.
    fn is_stuck(&self, threads: usize) -> bool {
        let mut paths = self.waiting.values();
        self.waiting.len() == threads && paths.all(|path| !self.outlines.contains_key(path))
    }
}

/// One thread's part of the work.
pub(super) struct Share<'e> {
    exchange: &'e Exchange,
    position: usize,
    threads: usize,
    next: usize,
}

impl Share<'_> {
    /// Whether the next file is for this thread to parse. All threads meet the files in the same order.
    pub(super) fn is_next_mine(&mut self) -> bool {
        self.next += 1;
        self.next % self.threads == self.position
    }

    /// Gives the outline of a file to the others.
    pub(super) fn publish(&self, path: &RelPath, outline: Option<Vec<Declared>>) {
        let mut state = self.exchange.lock();
        state.outlines.insert(path.clone(), outline.map(Arc::new));
        self.exchange.changed.notify_all();
    }

    /// The outline of a file that another thread parses; none if there will be none.
    pub(super) fn outline(&self, path: &RelPath) -> Option<Arc<Vec<Declared>>> {
        let mut state = self.exchange.lock();
        loop {
            if let Some(outline) = state.outlines.get(path).cloned() {
                state.waiting.remove(&self.position);
                return outline;
            }
            state.waiting.insert(self.position, path.clone());
            // Files that change meanwhile may make each thread wait for the others.
            if state.is_stuck(self.threads) {
                state.left = true;
                self.exchange.changed.notify_all();
            }
            if state.left {
                return None;
            }
            state = self
                .exchange
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Reads the crate; none if there is anything to be said of it.
    fn read(self, root: &RelPath, files: &dyn Files) -> Option<(Kinds, RuleFiles)> {
        let _leaving = Leaving(self.exchange);
        proc_macro2::extra::invalidate_current_thread_spans();
        let mut loader = Loader::sharing(files, self);
        let krate = loader.crate_in(root)?;
        let Loader {
            mut tree,
            mut findings,
            rules,
            ..
        } = loader;
        if !findings.is_empty() {
            return None;
        }
        annotated::read_all(&mut tree, &mut findings);
        if !findings.is_empty() {
            return None;
        }
        let mut builder = Builder::new(&tree, findings);
        let mut kinds = Vec::new();
        for item in builder.listed(krate) {
            let definition = match tree.item(item).content {
                Content::Elsewhere => None,
                _ => Some(builder.definition(item)?),
            };
            kinds.push(definition);
        }
        let (findings, _) = builder.into_parts();
        let is_clean = findings.is_empty() && !tree.missed.get();
        // The command ends soon: to take the tree apart would take longer than to leave it.
        std::mem::forget(tree);
        is_clean.then_some((kinds, rules))
    }
}

impl Exchange {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the others when a thread ends, however it ends.
struct Leaving<'e>(&'e Exchange);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.lock().left = true;
        self.0.changed.notify_all();
    }
}
