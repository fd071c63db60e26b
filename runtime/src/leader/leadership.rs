//! For how long this process leads: said by one, looked at by all who work.
//!
//! A loss that is announced comes too late for a process that was stopped and goes on, because whatever wakes first runs first. So a term has an end,
//! which is known before, and work goes on only after a look at the clock.

use std::{future::poll_fn, pin::pin, task::Poll};

use tokio::sync::watch;

use super::moment::Moment;

#[derive(Debug, Clone, Copy)]
enum Term {
    Over,
    Until(Moment),
    Endless,
}

impl Term {
    fn lasts(self) -> bool {
        match self {
            Self::Over => false,
            Self::Until(end) => !end.has_passed(),
            Self::Endless => true,
        }
    }
}

/// Gives leadership to this process, and takes it away; also when it is dropped. A term that ran out must be taken away or prolonged:
/// work waits for one of these.
#[derive(Debug)]
pub(crate) struct Grant(watch::Sender<Term>);

impl Default for Grant {
    /// Leadership that is not given yet.
    fn default() -> Self {
        Self(watch::Sender::new(Term::Over))
    }
}

impl Grant {
    /// This process leads until then, if it is not prolonged.
    pub(crate) fn until(&self, end: Moment) {
        self.0.send_replace(Term::Until(end));
    }

    /// This process leads no longer.
    pub(crate) fn withdraw(&self) {
        self.0.send_replace(Term::Over);
    }

    /// What those look at who work only while this process leads.
    pub(crate) fn leadership(&self) -> Leadership {
        Leadership(self.0.subscribe())
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        self.withdraw();
    }
}

/// Whether this process leads.
#[derive(Debug, Clone)]
pub struct Leadership(watch::Receiver<Term>);

impl Leadership {
    /// That of a process which is the only one.
    pub fn endless() -> Self {
        Self(watch::channel(Term::Endless).1)
    }

    /// Whether this process leads now. The clock is looked at: the end of a term need not have been announced.
    pub fn is_held(&self) -> bool {
        self.0.borrow().lasts()
    }

    /// Waits until this process leads.
    pub async fn gained(&mut self) {
        self.until(Term::lasts).await;
    }

    /// Waits until it is announced that this process leads no longer.
    pub async fn lost(&mut self) {
        self.until(|term| matches!(term, Term::Over)).await;
    }

    /// Works while this process leads: what waits in between goes on only if it still does. Work that met the end of a term stands
    /// still, until it is dropped or the term is prolonged.
    pub async fn hold_for<F: Future>(&self, work: F) -> F::Output {
        let mut work = pin!(work);
        loop {
            let step = poll_fn(|context| {
                if self.is_held() {
                    work.as_mut().poll(context).map(Some)
                } else {
                    Poll::Ready(None)
                }
            });
            if let Some(output) = step.await {
                return output;
            }
            self.clone().gained().await;
        }
    }

    async fn until(&mut self, reached: impl Fn(Term) -> bool) {
        if self.0.wait_for(|term| reached(*term)).await.is_err() {
            // Nobody is left to change it.
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{Instant, advance, sleep};

    use super::*;

    const TERM: Duration = Duration::from_secs(10);

    #[tokio::test(start_paused = true)]
    async fn a_term_ends_by_itself() {
        let grant = Grant::default();
        let leadership = grant.leadership();
        assert!(!leadership.is_held());
        grant.until(Moment::now() + TERM);
        assert!(leadership.is_held());
        advance(TERM).await;
        assert!(!leadership.is_held());
        grant.until(Moment::now() + TERM);
        assert!(leadership.is_held());
        drop(grant);
        assert!(!leadership.is_held());
    }

    #[tokio::test(start_paused = true)]
    async fn gain_and_loss_are_waited_for() {
        let grant = Grant::default();
        let mut leadership = grant.leadership();
        let seen = tokio::spawn(async move {
            leadership.gained().await;
            let gained = Instant::now();
            leadership.lost().await;
            gained.elapsed()
        });
        sleep(TERM).await;
        grant.until(Moment::now() + TERM);
        sleep(TERM / 2).await;
        grant.until(Moment::now() + TERM);
        sleep(TERM / 2).await;
        grant.withdraw();
        assert_eq!(seen.await.unwrap(), TERM);
    }

    #[tokio::test(start_paused = true)]
    async fn work_stands_still_after_a_term_and_goes_on_in_the_next() {
        let grant = Grant::default();
        let leadership = grant.leadership();
        grant.until(Moment::now() + TERM);
        let work = tokio::spawn(async move {
            let steps = async {
                sleep(TERM * 2).await;
                Instant::now()
            };
            leadership.hold_for(steps).await
        });
        sleep(TERM * 3).await;
        assert!(!work.is_finished());
        let prolonged = Moment::now();
        grant.until(prolonged + TERM);
        assert_eq!(work.await.unwrap(), prolonged.instant());
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_the_only_one_leads_for_ever() {
        let leadership = Leadership::endless();
        sleep(TERM * 1000).await;
        assert!(leadership.is_held());
        assert_eq!(leadership.hold_for(async { 1 }).await, 1);
    }
}
