//! A download that may be cut off and continued: a file with what has come, and beside it what the server calls this state of the archive.
//!
//! The names hold the archive's sum, so what came of one archive is never continued with another.

use std::{
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CONTENT_RANGE, ETAG, IF_RANGE, LAST_MODIFIED, RANGE},
};

use super::{
    DownloadError,
    http::{Http, Response, refused},
};
use crate::small_file;

/// What the names of these files begin with.
pub(super) const PREFIX: &str = ".download-";

/// How much of an archive's sum is in the names.
const DIGITS: usize = 32;

/// What has come of an archive.
#[derive(Debug)]
pub(super) struct Partial {
    file: PathBuf,
    /// The server's name of the state that the archive is in, if it has one.
    state: PathBuf,
}

impl Partial {
    /// Of the archive with this sum.
    pub(super) fn new(folder: &Path, sum: &str) -> Self {
        let name = format!("{PREFIX}{}", &sum[..DIGITS.min(sum.len())]);
        Self {
            file: folder.join(format!("{name}.part")),
            state: folder.join(format!("{name}.state")),
        }
    }

    /// Where it is.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Forgets what has come.
    pub(super) fn remove(&self) {
        // What stays is removed with the next attempt, or by `cleanup`.
        let _ = fs::remove_file(&self.file);
        let _ = fs::remove_file(&self.state);
    }

    /// Downloads what is missing; `progress` is told how much there is, and how much there will be.
    pub(super) fn complete(
        &self,
        http: &Http,
        url: &str,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<(), DownloadError> {
        let present = self.present();
        let mut response = http.get(url, &self.request(present))?;
        let mut start = start(&response, present);
        let is_odd = matches!(
            response.status(),
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE
        );
        if start.is_none() && is_odd {
            // What is here does not fit to what the server has.
            self.remove();
            response = http.get(url, &HeaderMap::new())?;
            start = self::start(&response, 0);
        }
        let start = start.ok_or_else(|| refused(url, response.status()))?;
        let mut file = self.open(start, response.headers())?;

        let total = response.body().content_length().map(|rest| start + rest);
        let mut received = start;
        progress(received, total);
        let mut body = response.into_body().into_reader();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = match body.read(&mut buffer).map_err(ureq::Error::from) {
                Ok(0) if total.is_none_or(|total| received == total) => return Ok(()),
                Ok(count) if count > 0 => count,
                Err(error @ ureq::Error::Timeout(_)) => return Err(http.failed(url, error)),
                Ok(_) | Err(_) => {
                    return Err(DownloadError::Cut {
                        url: url.to_owned(),
                        received,
                        total,
                    });
                }
            };
            file.write_all(&buffer[..count])
                .map_err(DownloadError::file("written", &self.file))?;
            received += count as u64;
            progress(received, total);
        }
    }

    /// How much of it is here. What is no regular file was put there by somebody else, and goes.
    fn present(&self) -> u64 {
        match fs::symlink_metadata(&self.file) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            Ok(_) => {
                self.remove();
                0
            }
            Err(_) => 0,
        }
    }

    /// What to ask for, if some of it is here already.
    fn request(&self, present: u64) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if present > 0 {
            let range = format!("bytes={present}-");
            headers.extend(HeaderValue::from_str(&range).map(|range| (RANGE, range)));
            let state = small_file::read(&self.state).unwrap_or_default();
            if !state.is_empty() {
                headers.extend(HeaderValue::from_bytes(&state).map(|state| (IF_RANGE, state)));
            }
        }
        headers
    }

    /// The file, at the place where the answer goes on.
    fn open(&self, start: u64, headers: &HeaderMap) -> Result<File, DownloadError> {
        let written = DownloadError::file("written", &self.file);
        if start > 0 {
            return File::options()
                .append(true)
                .open(&self.file)
                .map_err(written);
        }
        self.remove();
        let file = File::create_new(&self.file).map_err(written)?;
        // Without it the sum alone tells a mixture.
        let _ = File::create_new(&self.state)
            .and_then(|mut file| file.write_all(state(headers).as_bytes()));
        Ok(file)
    }
}

/// Where an answer begins, if it is one that can be used.
fn start(response: &Response, present: u64) -> Option<u64> {
    match response.status() {
        StatusCode::OK => Some(0),
        StatusCode::PARTIAL_CONTENT => {
            let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
            let (first, _) = range.strip_prefix("bytes ")?.split_once('-')?;
            (first.parse() == Ok(present)).then_some(present)
        }
        _ => None,
    }
}

/// The server's name of the archive's state; a weak one says nothing of single bytes.
fn state(headers: &HeaderMap) -> &str {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    text(ETAG)
        .filter(|tag| !tag.starts_with("W/"))
        .or_else(|| text(LAST_MODIFIED))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(http::HeaderName, &'static str)]) -> HeaderMap {
        let fields = fields.iter();
        fields
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn a_strong_tag_names_the_state_better_than_a_date() {
        let date = (LAST_MODIFIED, "Mon, 16 Nov 2026 08:00:00 GMT");
        assert_eq!(state(&headers(&[(ETAG, "\"a\""), date.clone()])), "\"a\"");
        assert_eq!(state(&headers(&[(ETAG, "W/\"a\""), date.clone()])), date.1);
        assert_eq!(state(&headers(&[])), "");
    }
}
