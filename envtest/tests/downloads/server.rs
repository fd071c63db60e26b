//! A local HTTP server that can misbehave. Each connection serves one request.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// A received request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    /// Header names are in lower case.
    headers: Vec<(String, String)>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(header, _)| header == name)
            .map(|(_, value)| value.as_str())
    }

    fn read(stream: &TcpStream) -> Option<Self> {
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        let first = lines.next()?;
        let path = first.split(' ').nth(1)?.to_owned();
        let headers = lines
            .take_while(|line| !line.is_empty())
            .filter_map(|line| {
                let (name, value) = line.split_once(": ")?;
                Some((name.to_lowercase(), value.to_owned()))
            })
            .collect();
        Some(Self { path, headers })
    }
}

/// A response.
pub(crate) struct Answer {
    status: u16,
    headers: Vec<String>,
    body: Vec<u8>,
    /// Number of bytes of the body to send.
    sent: Option<usize>,
    delay: Duration,
    /// Time until the connection is closed.
    silence: Duration,
}

impl Answer {
    pub(crate) fn ok(body: Vec<u8>) -> Self {
        Self {
            body,
            ..Self::status(200)
        }
    }

    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            sent: None,
            delay: Duration::ZERO,
            silence: Duration::ZERO,
        }
    }

    /// Returns a partial response from an offset.
    pub(crate) fn rest(whole: &[u8], start: usize) -> Self {
        let range = format!(
            "content-range: bytes {start}-{}/{}",
            whole.len() - 1,
            whole.len()
        );
        Self {
            body: whole[start..].to_vec(),
            ..Self::status(206)
        }
        .header(&range)
    }

    pub(crate) fn header(mut self, line: &str) -> Self {
        self.headers.push(line.to_owned());
        self
    }

    /// Closes the connection after this many bytes of the body.
    pub(crate) fn cut_after(mut self, count: usize) -> Self {
        self.sent = Some(count);
        self
    }

    /// Stalls after this many bytes of the body.
    pub(crate) fn silent_after(self, count: usize, silence: Duration) -> Self {
        Self {
            silence,
            ..self.cut_after(count)
        }
    }

    /// Delays the response.
    pub(crate) fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    fn write(&self, mut stream: TcpStream) {
        thread::sleep(self.delay);
        let mut head = format!("HTTP/1.1 {} Any\r\nconnection: close\r\n", self.status);
        for line in &self.headers {
            head.push_str(line);
            head.push_str("\r\n");
        }
        let length = self.body.len();
        let sent = self.sent.unwrap_or(length);
        let all = [
            format!("{head}content-length: {length}\r\n\r\n").as_bytes(),
            &self.body[..sent],
        ]
        .concat();
        // The client may have disconnected.
        let _ = stream.write_all(&all).and_then(|()| stream.flush());
        thread::sleep(self.silence);
    }
}

/// Serves until dropped.
pub(crate) struct Server {
    url: String,
    requests: Arc<Mutex<Vec<Request>>>,
    ended: Arc<AtomicBool>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&Request) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let server = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            requests: Arc::default(),
            ended: Arc::default(),
        };
        let (requests, ended) = (Arc::clone(&server.requests), Arc::clone(&server.ended));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if ended.load(Ordering::SeqCst) {
                    return;
                }
                if let Some(request) = Request::read(&stream) {
                    requests.lock().unwrap().push(request.clone());
                    let answer = answer(&request);
                    thread::spawn(move || answer.write(stream));
                }
            }
        });
        server
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.url.trim_start_matches("http://"));
    }
}
