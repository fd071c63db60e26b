//! Idle timeout for responses, so that a server that stops responding cannot block a watch or a worker forever.
//!
//! A tower layer of the client. kube's own timeout (`Config::read_timeout`) resets a timer on every read, which costs two system calls per
//! response and wakes a thread for nothing. Here the timer of a body keeps running while frames arrive, and is reset only when it fires.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures::future::BoxFuture;
use http::{Request, Response};
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep, timeout};
use tower::{BoxError, Layer, Service};

/// Maximum time without data, both before a response and within its body.
#[derive(Debug, Clone, Copy)]
pub(super) struct IdleTimeoutLayer(pub(super) Duration);

impl<S> Layer<S> for IdleTimeoutLayer {
    type Service = IdleTimeoutService<S>;

    fn layer(&self, inner: S) -> IdleTimeoutService<S> {
        IdleTimeoutService {
            inner,
            limit: self.0,
        }
    }
}

/// Client service with an idle timeout.
#[derive(Debug, Clone)]
pub(super) struct IdleTimeoutService<S> {
    inner: S,
    limit: Duration,
}

impl<S, Q, B> Service<Request<Q>> for IdleTimeoutService<S>
where
    S: Service<Request<Q>, Response = Response<B>>,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
{
    type Response = Response<IdleTimeoutBody<B>>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        let response = self.inner.call(request);
        let limit = self.limit;
        Box::pin(async move {
            let response = timeout(limit, response).await;
            let response = response
                .map_err(|_| timed_out(limit))?
                .map_err(Into::into)?;
            Ok(response.map(|body| IdleTimeoutBody::new(body, limit)))
        })
    }
}

/// Response body with an idle timeout.
#[derive(Debug)]
pub(super) struct IdleTimeoutBody<B> {
    body: B,
    limit: Duration,
    /// When the last frame arrived.
    last_frame: Instant,
    /// Fires at the timeout or earlier. Created when the body is first pending.
    timer: Option<Pin<Box<Sleep>>>,
}

impl<B> IdleTimeoutBody<B> {
    fn new(body: B, limit: Duration) -> Self {
        Self {
            body,
            limit,
            last_frame: Instant::now(),
            timer: None,
        }
    }

    /// Completes when no frame has arrived for the timeout.
    fn poll_timeout(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let end = self.last_frame + self.limit;
        let timer = self
            .timer
            .get_or_insert_with(|| Box::pin(sleep(self.limit)));
        loop {
            ready!(timer.as_mut().poll(context));
            if Instant::now() >= end {
                return Poll::Ready(());
            }
            timer.as_mut().reset(end);
        }
    }
}

impl<B> Body for IdleTimeoutBody<B>
where
    B: Body + Unpin,
    B::Error: Into<BoxError>,
{
    type Data = B::Data;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            self.last_frame = Instant::now();
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        ready!(self.poll_timeout(context));
        Poll::Ready(Some(Err(timed_out(self.limit))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn timed_out(limit: Duration) -> BoxError {
    let error = format!("no data from the API server for {limit:?}");
    io::Error::new(io::ErrorKind::TimedOut, error).into()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures::{StreamExt, stream};
    use http_body_util::{BodyExt, Empty, StreamBody};
    use hyper::body::Bytes;
    use tower::{ServiceExt, service_fn};

    use super::*;

    const LIMIT: Duration = Duration::from_secs(300);

    /// Returns a body of `count` frames, each after a pause, that never ends.
    fn frames(
        count: usize,
        pause: Duration,
    ) -> impl Body<Data = Bytes, Error = Infallible> + Unpin {
        let frames = stream::iter(0..count).then(move |_| async move {
            sleep(pause).await;
            Ok(Frame::data(Bytes::from("frame")))
        });
        StreamBody::new(frames.chain(stream::pending()).boxed())
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_times_out_after_its_last_frame() {
        let pause = Duration::from_secs(299);
        let mut body = IdleTimeoutBody::new(frames(5, pause), LIMIT);
        let start = Instant::now();
        for _ in 0..5 {
            assert!(body.frame().await.unwrap().is_ok());
        }
        assert_eq!(start.elapsed(), pause * 5);
        let error = body.frame().await.unwrap().unwrap_err();
        assert_eq!(start.elapsed(), pause * 5 + LIMIT);
        assert_eq!(error.to_string(), "no data from the API server for 300s");
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_does_not_cause_a_timeout() {
        let mut body = IdleTimeoutBody::new(frames(2, Duration::ZERO), LIMIT);
        for _ in 0..2 {
            assert!(body.frame().await.unwrap().is_ok());
            sleep(LIMIT * 2).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn times_out_before_the_response() {
        type HttpResult = Result<Response<Empty<Bytes>>, Infallible>;
        let never = service_fn(|_: Request<()>| std::future::pending::<HttpResult>());
        let start = Instant::now();
        let response = IdleTimeoutLayer(LIMIT)
            .layer(never)
            .oneshot(Request::new(()));
        let error = response.await.expect_err("no response");
        assert_eq!(start.elapsed(), LIMIT);
        assert!(error.downcast::<io::Error>().is_ok());
    }
}
