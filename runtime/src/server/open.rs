//! The open connections of a server, and which of them to close when there are too many.
//!
//! A server that stopped accepting would keep the kubelet waiting behind idle clients, and three failed probes restart the operator. So
//! a new connection is always accepted; if the server is full, the one that has been idle longest makes room.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{
    task::{AbortHandle, Id, JoinSet},
    time::Instant,
};

/// The maximum number of open connections.
const MOST_CONNECTIONS: usize = 256;

/// Connections, each a task. Dropped, it closes all of them.
#[derive(Default)]
pub(super) struct OpenConnections {
    tasks: JoinSet<()>,
    open: HashMap<Id, (Arc<Activity>, AbortHandle)>,
}

impl OpenConnections {
    /// Runs a connection. If the server is full, the longest idle connection is closed.
    pub(super) fn spawn<C>(&mut self, connection: impl FnOnce(Arc<Activity>) -> C)
    where
        C: Future<Output = ()> + Send + 'static,
    {
        if self.open.len() >= MOST_CONNECTIONS {
            self.evict();
        }
        let activity = Arc::<Activity>::default();
        let task = self.tasks.spawn(connection(Arc::clone(&activity)));
        self.open.insert(task.id(), (activity, task));
    }

    fn evict(&mut self) {
        let idle = self
            .open
            .iter()
            .min_by_key(|(_, (activity, _))| activity.state());
        if let Some(id) = idle.map(|(id, _)| *id)
            && let Some((_, task)) = self.open.remove(&id)
        {
            tracing::debug!("too many connections, closing the longest idle one");
            task.abort();
        }
    }

    /// Waits until a connection has ended. `None` if none is open.
    pub(super) async fn join_next(&mut self) -> Option<()> {
        let id = match self.tasks.join_next_with_id().await? {
            Ok((id, ())) => id,
            Err(error) => error.id(),
        };
        self.open.remove(&id);
        Some(())
    }
}

/// What one connection is doing.
pub(super) struct Activity(Mutex<State>);

/// Ordered: idle before answering, then the longest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    answering: bool,
    since: Instant,
}

impl State {
    fn now(answering: bool) -> Self {
        let since = Instant::now();
        Self { answering, since }
    }
}

impl Default for Activity {
    fn default() -> Self {
        Self(Mutex::new(State::now(false)))
    }
}

impl Activity {
    /// Runs the handler of a request. A client that does not read the response is idle again.
    pub(super) async fn answering<H: Future>(&self, handler: H) -> H::Output {
        *self.lock() = State::now(true);
        let response = handler.await;
        *self.lock() = State::now(false);
        response
    }

    fn state(&self) -> State {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, time::Duration};

    use tokio::{sync::mpsc, time::sleep};

    use super::*;

    /// Tells its number when it is dropped.
    struct Closed(usize, mpsc::UnboundedSender<usize>);

    impl Drop for Closed {
        fn drop(&mut self) {
            let _ = self.1.send(self.0);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_longest_idle_is_closed_and_those_that_answer_last() {
        let (sender, mut closed) = mpsc::unbounded_channel();
        let mut connections = OpenConnections::default();
        for number in 0..MOST_CONNECTIONS + 2 {
            let connection = Closed(number, sender.clone());
            connections.spawn(|activity| async move {
                let _connection = connection;
                match number {
                    0 => activity.answering(pending::<()>()).await,
                    // It is idle again, and later than the others.
                    1 => activity.answering(sleep(Duration::from_millis(200))).await,
                    _ => {}
                }
                pending::<()>().await;
            });
            sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(closed.recv().await, Some(2));
        assert_eq!(closed.recv().await, Some(3));
        assert!(closed.try_recv().is_err());
    }
}
