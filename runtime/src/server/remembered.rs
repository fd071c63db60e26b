//! Answers that hold for a while, found again by what was asked.
//!
//! What was asked may be a secret, such as a token. It is not kept: two hashes under keys made at random when the process starts stand
//! for it, 128 bits together. Nobody outside knows the keys or sees a hash, so nobody can make one token pass for another; and an entry
//! is small whatever was asked.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// More are not kept: those that would expire next go first.
const MOST: usize = 1024;

type Fingerprint = (u64, u64);

/// Answers of one kind, each for its time.
pub(super) struct Remembered<V> {
    keys: (RandomState, RandomState),
    answers: Mutex<HashMap<Fingerprint, (V, Instant)>>,
}

impl<V: Clone> Remembered<V> {
    pub(super) fn new() -> Self {
        Self {
            keys: (RandomState::new(), RandomState::new()),
            answers: Mutex::default(),
        }
    }

    /// The answer, if it still holds.
    pub(super) fn get(&self, question: &[u8]) -> Option<V> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let (answer, until) = answers.get(&self.fingerprint(question))?;
        (Instant::now() < *until).then(|| answer.clone())
    }

    /// The answer holds for this time.
    pub(super) fn put(&self, question: &[u8], answer: V, holds: Duration) {
        let now = Instant::now();
        let fingerprint = self.fingerprint(question);
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MOST {
            answers.retain(|_, (_, until)| now < *until);
        }
        if answers.len() >= MOST {
            let next = answers
                .iter()
                .min_by_key(|(_, (_, until))| *until)
                .map(|(fingerprint, _)| *fingerprint);
            next.map(|next| answers.remove(&next));
        }
        answers.insert(fingerprint, (answer, now + holds));
    }

    fn fingerprint(&self, question: &[u8]) -> Fingerprint {
        (
            self.keys.0.hash_one(question),
            self.keys.1.hash_one(question),
        )
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_answer_holds_for_its_time() {
        let remembered = Remembered::new();
        remembered.put(b"a", 1, Duration::from_secs(60));
        remembered.put(b"b", 2, Duration::from_secs(30));
        advance(Duration::from_secs(30)).await;
        assert_eq!(remembered.get(b"a"), Some(1));
        assert_eq!(remembered.get(b"b"), None);
        assert_eq!(remembered.get(b"c"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_of_questions_pushes_out_the_oldest_only() {
        let remembered = Remembered::new();
        for number in 0..MOST + 10 {
            remembered.put(&number.to_le_bytes(), number, Duration::from_secs(60));
            advance(Duration::from_millis(1)).await;
        }
        assert_eq!(remembered.answers.lock().unwrap().len(), MOST);
        assert_eq!(remembered.get(&9_usize.to_le_bytes()), None);
        assert_eq!(remembered.get(&10_usize.to_le_bytes()), Some(10));
        assert_eq!(remembered.get(&(MOST + 9).to_le_bytes()), Some(MOST + 9));
    }
}
