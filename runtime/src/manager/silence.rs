//! Ends what the API server leaves unsaid: a server that is gone without a word must not hold a watch or a worker for ever.
//!
//! A layer around the client's service. kube's own limit (`Config::read_timeout`) sets a timer anew with every read, to now and then to its end:
//! that is two system calls more for each answer, and a thread that is woken for nothing. Here the timer of a body stays as it is while the
//! body is heard, and is looked at only when it goes off.

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

/// How long a server may say nothing, before the answer and while it comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Silence(pub(super) Duration);

impl<S> Layer<S> for Silence {
    type Service = Heard<S>;

    fn layer(&self, inner: S) -> Heard<S> {
        Heard {
            inner,
            limit: self.0,
        }
    }
}

/// A client whose answers fail after silence.
#[derive(Debug, Clone)]
pub(super) struct Heard<S> {
    inner: S,
    limit: Duration,
}

impl<S, Q, B> Service<Request<Q>> for Heard<S>
where
    S: Service<Request<Q>, Response = Response<B>>,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
{
    type Response = Response<HeardBody<B>>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        let answer = self.inner.call(request);
        let limit = self.limit;
        Box::pin(async move {
            let answer = timeout(limit, answer).await;
            let answer = answer.map_err(|_| silent(limit))?.map_err(Into::into)?;
            Ok(answer.map(|body| HeardBody::new(body, limit)))
        })
    }
}

/// The body of an answer.
#[derive(Debug)]
pub(super) struct HeardBody<B> {
    body: B,
    limit: Duration,
    /// When something was heard last.
    heard: Instant,
    /// Goes off at the limit, or earlier. There is none until the body is waited for.
    timer: Option<Pin<Box<Sleep>>>,
}

impl<B> HeardBody<B> {
    fn new(body: B, limit: Duration) -> Self {
        Self {
            body,
            limit,
            heard: Instant::now(),
            timer: None,
        }
    }

    /// Ready when nothing was heard for too long.
    fn poll_silence(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let end = self.heard + self.limit;
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

impl<B> Body for HeardBody<B>
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
            self.heard = Instant::now();
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        ready!(self.poll_silence(context));
        Poll::Ready(Some(Err(silent(self.limit))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn silent(limit: Duration) -> BoxError {
    let error = format!("the API server has said nothing for {limit:?}");
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

    /// A body that says so many words, each after a pause, and no more.
    fn words(count: usize, pause: Duration) -> impl Body<Data = Bytes, Error = Infallible> + Unpin {
        let words = stream::iter(0..count).then(move |_| async move {
            sleep(pause).await;
            Ok(Frame::data(Bytes::from("word")))
        });
        StreamBody::new(words.chain(stream::pending()).boxed())
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_is_heard_goes_on_and_ends_at_the_limit_after_its_last_word() {
        let pause = Duration::from_secs(299);
        let mut body = HeardBody::new(words(5, pause), LIMIT);
        let start = Instant::now();
        for _ in 0..5 {
            assert!(body.frame().await.unwrap().is_ok());
        }
        assert_eq!(start.elapsed(), pause * 5);
        let error = body.frame().await.unwrap().unwrap_err();
        assert_eq!(start.elapsed(), pause * 5 + LIMIT);
        assert_eq!(
            error.to_string(),
            "the API server has said nothing for 300s"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_takes_its_time_is_no_silence_of_the_server() {
        let mut body = HeardBody::new(words(2, Duration::ZERO), LIMIT);
        for _ in 0..2 {
            assert!(body.frame().await.unwrap().is_ok());
            sleep(LIMIT * 2).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_does_not_begin_is_no_longer_waited_for() {
        type Answer = Result<Response<Empty<Bytes>>, Infallible>;
        let never = service_fn(|_: Request<()>| std::future::pending::<Answer>());
        let start = Instant::now();
        let answer = Silence(LIMIT).layer(never).oneshot(Request::new(()));
        let error = answer.await.expect_err("there is no answer");
        assert_eq!(start.elapsed(), LIMIT);
        assert!(error.downcast::<io::Error>().is_ok());
    }
}
