//! Resumable downloads: a file with the received part, and one with the server's `ETag` or modification date.
//!
//! File names contain the checksum, so a download is never resumed with another archive.

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
    http::{HttpClient, Response, unexpected_status},
};
use crate::small_file;

/// File name prefix.
pub(super) const PREFIX: &str = ".download-";

/// Length of the checksum in file names.
const CHECKSUM_LEN: usize = 32;

/// The received part of an archive.
#[derive(Debug)]
pub(super) struct PartialDownload {
    file: PathBuf,
    /// `ETag` or modification date.
    validator: PathBuf,
}

impl PartialDownload {
    pub(super) fn new(folder: &Path, checksum: &str) -> Self {
        let name = format!("{PREFIX}{}", &checksum[..CHECKSUM_LEN.min(checksum.len())]);
        Self {
            file: folder.join(format!("{name}.part")),
            validator: folder.join(format!("{name}.state")),
        }
    }

    /// Returns the path of the received part.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Discards the received part.
    pub(super) fn remove(&self) {
        // Leftovers are removed by the next attempt or by `envtest cleanup`.
        let _ = fs::remove_file(&self.file);
        let _ = fs::remove_file(&self.validator);
    }

    /// Downloads the missing part. Calls `progress` with the received and total bytes.
    pub(super) fn complete(
        &self,
        http: &HttpClient,
        url: &str,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<(), DownloadError> {
        let present = self.len();
        let mut response = http.get(url, &self.range_headers(present))?;
        let mut start = start(&response, present);
        let is_mismatch = matches!(
            response.status(),
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE
        );
        if start.is_none() && is_mismatch {
            // The received part does not match the server's archive.
            self.remove();
            response = http.get(url, &HeaderMap::new())?;
            start = self::start(&response, 0);
        }
        let start = start.ok_or_else(|| unexpected_status(url, response.status()))?;
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
                Err(error @ ureq::Error::Timeout(_)) => return Err(http.error(url, error)),
                Ok(_) | Err(_) => {
                    return Err(DownloadError::Interrupted {
                        url: url.to_owned(),
                        received,
                        total,
                    });
                }
            };
            file.write_all(&buffer[..count])
                .map_err(DownloadError::file("write", &self.file))?;
            received += count as u64;
            progress(received, total);
        }
    }

    /// Returns the number of bytes received. Removes anything but a regular file.
    fn len(&self) -> u64 {
        match fs::symlink_metadata(&self.file) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            Ok(_) => {
                self.remove();
                0
            }
            Err(_) => 0,
        }
    }

    /// Returns the headers to resume the download.
    fn range_headers(&self, present: u64) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if present > 0 {
            let range = format!("bytes={present}-");
            headers.extend(HeaderValue::from_str(&range).map(|range| (RANGE, range)));
            let validator = small_file::read(&self.validator).unwrap_or_default();
            if !validator.is_empty() {
                headers.extend(HeaderValue::from_bytes(&validator).map(|value| (IF_RANGE, value)));
            }
        }
        headers
    }

    /// Opens the file at the start of the response body.
    fn open(&self, start: u64, headers: &HeaderMap) -> Result<File, DownloadError> {
        let write_error = DownloadError::file("write", &self.file);
        if start > 0 {
            return File::options()
                .append(true)
                .open(&self.file)
                .map_err(write_error);
        }
        self.remove();
        let file = File::create_new(&self.file).map_err(write_error)?;
        // Best effort: the checksum also detects a mixture of two archives.
        let _ = File::create_new(&self.validator)
            .and_then(|mut file| file.write_all(validator(headers).as_bytes()));
        Ok(file)
    }
}

/// Returns the offset at which a response body starts, if it is usable.
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

/// Returns the strong `ETag` or the modification date. Weak `ETag`s do not identify bytes.
fn validator(headers: &HeaderMap) -> &str {
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
    fn strong_etags_take_precedence_over_dates() {
        let date = (LAST_MODIFIED, "Mon, 16 Nov 2026 08:00:00 GMT");
        assert_eq!(
            validator(&headers(&[(ETAG, "\"a\""), date.clone()])),
            "\"a\""
        );
        assert_eq!(
            validator(&headers(&[(ETAG, "W/\"a\""), date.clone()])),
            date.1
        );
        assert_eq!(validator(&headers(&[])), "");
    }
}
