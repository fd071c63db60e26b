//! Leadership of this process: set by the elector, checked by the controllers.
//!
//! Announcing a loss is too late for a process that was suspended, because any task may run first after it resumes. So a term has a deadline
//! known in advance, and work continues only after checking the clock.

use std::{future::poll_fn, pin::pin, task::Poll};

use tokio::sync::watch;

use super::boot_time::BootInstant;

#[derive(Debug, Clone, Copy)]
enum Term {
    Ended,
    Until(BootInstant),
    Unlimited,
}

impl Term {
    fn is_current(self) -> bool {
        match self {
            Self::Ended => false,
            Self::Until(end) => !end.has_passed(),
            Self::Unlimited => true,
        }
    }
}

/// Sets the leadership of this process; revokes it when dropped. An expired term suspends the work until it is revoked or extended.
#[derive(Debug)]
pub(crate) struct LeadershipSender(watch::Sender<Term>);

impl Default for LeadershipSender {
    /// Starts without leadership.
    fn default() -> Self {
        Self(watch::Sender::new(Term::Ended))
    }
}

impl LeadershipSender {
    /// Makes this process the leader until `end`, or extends its term.
    pub(crate) fn lead_until(&self, end: BootInstant) {
        self.0.send_replace(Term::Until(end));
    }

    /// Ends the leadership.
    pub(crate) fn revoke(&self) {
        self.0.send_replace(Term::Ended);
    }

    /// Returns a handle that observes the leadership.
    pub(crate) fn leadership(&self) -> Leadership {
        Leadership(self.0.subscribe())
    }
}

impl Drop for LeadershipSender {
    fn drop(&mut self) {
        self.revoke();
    }
}

/// Observes whether this process is the leader. Clones observe the same election.
#[derive(Debug, Clone)]
pub struct Leadership(watch::Receiver<Term>);

impl Leadership {
    /// Returns a leadership that never ends, for an operator without leader election.
    pub fn always() -> Self {
        Self(watch::channel(Term::Unlimited).1)
    }

    /// Returns whether this process is the leader, by the clock: an expired term need not be announced yet.
    pub fn is_leader(&self) -> bool {
        self.0.borrow().is_current()
    }

    /// Waits until this process is the leader.
    pub async fn acquired(&mut self) {
        self.until(Term::is_current).await;
    }

    /// Waits until the leadership is revoked.
    pub async fn lost(&mut self) {
        self.until(|term| matches!(term, Term::Ended)).await;
    }

    /// Polls `work` only while this process is the leader. Once the term expires, `work` is suspended until the term is extended or the
    /// future is dropped.
    pub async fn run_while_leading<F: Future>(&self, work: F) -> F::Output {
        let mut work = pin!(work);
        loop {
            let polled = poll_fn(|context| {
                if self.is_leader() {
                    work.as_mut().poll(context).map(Some)
                } else {
                    Poll::Ready(None)
                }
            });
            if let Some(output) = polled.await {
                return output;
            }
            self.clone().acquired().await;
        }
    }

    async fn until(&mut self, reached: impl Fn(Term) -> bool) {
        if self.0.wait_for(|term| reached(*term)).await.is_err() {
            // The sender is gone, so the term can no longer change.
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
    async fn a_term_expires() {
        let sender = LeadershipSender::default();
        let leadership = sender.leadership();
        assert!(!leadership.is_leader());
        sender.lead_until(BootInstant::now() + TERM);
        assert!(leadership.is_leader());
        advance(TERM).await;
        assert!(!leadership.is_leader());
        sender.lead_until(BootInstant::now() + TERM);
        assert!(leadership.is_leader());
        drop(sender);
        assert!(!leadership.is_leader());
    }

    #[tokio::test(start_paused = true)]
    async fn waits_for_acquisition_and_loss() {
        let sender = LeadershipSender::default();
        let mut leadership = sender.leadership();
        let term = tokio::spawn(async move {
            leadership.acquired().await;
            let acquired = Instant::now();
            leadership.lost().await;
            acquired.elapsed()
        });
        sleep(TERM).await;
        sender.lead_until(BootInstant::now() + TERM);
        sleep(TERM / 2).await;
        sender.lead_until(BootInstant::now() + TERM);
        sleep(TERM / 2).await;
        sender.revoke();
        assert_eq!(term.await.unwrap(), TERM);
    }

    #[tokio::test(start_paused = true)]
    async fn suspends_work_when_the_term_expires_and_resumes_it_when_extended() {
        let sender = LeadershipSender::default();
        let leadership = sender.leadership();
        sender.lead_until(BootInstant::now() + TERM);
        let work = tokio::spawn(async move {
            let sleeping = async {
                sleep(TERM * 2).await;
                Instant::now()
            };
            leadership.run_while_leading(sleeping).await
        });
        sleep(TERM * 3).await;
        assert!(!work.is_finished());
        let extended = BootInstant::now();
        sender.lead_until(extended + TERM);
        assert_eq!(work.await.unwrap(), extended.instant());
    }

    #[tokio::test(start_paused = true)]
    async fn always_leads_without_an_election() {
        let leadership = Leadership::always();
        sleep(TERM * 1000).await;
        assert!(leadership.is_leader());
        assert_eq!(leadership.run_while_leading(async { 1 }).await, 1);
    }
}
