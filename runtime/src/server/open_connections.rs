//! Open connections of a server, limited in number.
//!
//! A server that stopped accepting would keep the kubelet waiting behind idle clients, and three failed probes restart the operator. So new
//! connections are always accepted; at the limit, the longest idle connection is closed.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{
    task::{AbortHandle, Id, JoinSet},
    time::Instant,
};

/// Maximum number of open connections.
const MAX_CONNECTIONS: usize = 256;

/// Tasks of the open connections. Dropping it closes them.
#[derive(Default)]
pub(super) struct OpenConnections {
    tasks: JoinSet<()>,
    open: HashMap<Id, (Arc<Activity>, AbortHandle)>,
}

impl OpenConnections {
    /// Spawns the task of a connection. At the limit, closes the longest idle one.
    pub(super) fn spawn<C>(&mut self, connection: impl FnOnce(Arc<Activity>) -> C)
    where
        C: Future<Output = ()> + Send + 'static,
    {
        if self.open.len() >= MAX_CONNECTIONS {
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

    /// Waits until a connection is closed. Returns `None` if none is open.
    pub(super) async fn join_next(&mut self) -> Option<()> {
        let id = match self.tasks.join_next_with_id().await? {
            Ok((id, ())) => id,
            Err(error) => error.id(),
        };
        self.open.remove(&id);
        Some(())
    }
}

/// Activity of one connection.
pub(super) struct Activity(Mutex<State>);

/// Ordered by eviction: idle before responding, then the longest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    is_responding: bool,
    since: Instant,
}

impl State {
    fn now(is_responding: bool) -> Self {
        let since = Instant::now();
        Self {
            is_responding,
            since,
        }
    }
}

impl Default for Activity {
    fn default() -> Self {
        Self(Mutex::new(State::now(false)))
    }
}

impl Activity {
    /// Runs the handler of a request. A client that does not read the response counts as idle.
    pub(super) async fn track<H: Future>(&self, handler: H) -> H::Output {
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

    /// Reports its number when dropped.
    struct CloseReporter(usize, mpsc::UnboundedSender<usize>);

    impl Drop for CloseReporter {
        fn drop(&mut self) {
            let _ = self.1.send(self.0);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn closes_the_longest_idle_connection_and_responding_ones_last() {
        let (sender, mut closed) = mpsc::unbounded_channel();
        let mut connections = OpenConnections::default();
        for number in 0..MAX_CONNECTIONS + 2 {
            let connection = CloseReporter(number, sender.clone());
            connections.spawn(|activity| async move {
                let _connection = connection;
                match number {
                    0 => activity.track(pending::<()>()).await,
                    // Idle again, for less time than the others.
                    1 => activity.track(sleep(Duration::from_millis(200))).await,
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
