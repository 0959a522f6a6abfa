//! Numbers of what is kept: in the order of time, and not to be guessed.

use super::moment::Moment;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Crockford's thirty-two: no I, L, O and U, which are misread.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 26;

/// The number of something kept: 48 bits of milliseconds and 80 random ones, as 26 digits that
/// sort as the numbers do.
///
/// ```
/// use qili::store::Number;
/// let number = Number::new()?;
/// assert!(number.to_string() < Number::new()?.to_string());
/// assert_eq!(number.to_string().parse(), Ok(number));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(u128);

/// The last one made.
static LAST: Mutex<u128> = Mutex::new(0);
/// Whether the clock is behind the numbers.
static BEHIND: AtomicBool = AtomicBool::new(false);
/// Milliseconds by which a clock may be put back without a word.
const PUT_BACK: u64 = 1000;

/// No number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a number has 26 digits and letters, without I, L, O and U")]
pub struct BadNumber;

impl Number {
    /// What is greater than every number before one; greater than all where none is given.
    pub(super) fn before(number: Option<Self>) -> String {
        number.map_or_else(|| "Z".to_owned(), |number| number.to_string())
    }

    /// A number of now, greater than any this program made before.
    ///
    /// # Errors
    /// The system has no random bytes.
    pub fn new() -> Result<Self, std::io::Error> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|error| std::io::Error::other(error.to_string()))?;
        let random = u128::from_be_bytes(random);
        let now = u128::from(Moment::now().milliseconds()) << 80;
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        // Within a millisecond, a step that nobody guesses either.
        let new = if now > *last {
            now | (random >> 49)
        } else {
            *last + (random >> 64) + 1
        };
        *last = new;
        drop(last);
        // Numbers go on from the latest there were: told once each time the clock is put back by more
        // than it is now and then set right.
        let ahead = Self(new)
            .at()
            .milliseconds()
            .saturating_sub(Moment::now().milliseconds());
        let was_behind = BEHIND.swap(ahead > PUT_BACK, Relaxed);
        if ahead > PUT_BACK && !was_behind {
            tracing::warn!(
                target: "qili::store", seconds = ahead / 1000,
                "the clock has been put back: numbers stay in order, and moments are the clock's"
            );
        }
        Ok(Self(new))
    }

    /// Has the next numbers be greater than this one.
    pub(super) fn go_on_from(Self(number): Self) {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        *last = number.max(*last);
    }

    /// Has the next numbers go on from a clock that was so many days ahead.
    #[cfg(test)]
    pub(super) fn jump(days: u64) {
        let ahead = Moment::now().milliseconds() + days * 86_400_000;
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = u128::from(ahead) << 80;
    }

    /// The smallest number of a moment.
    pub fn first_of(moment: Moment) -> Self {
        Self(u128::from(moment.milliseconds()) << 80)
    }

    /// When it was made, where the clock was never put back.
    pub fn at(self) -> Moment {
        Moment::of_milliseconds(u64::try_from(self.0 >> 80).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in (0..LENGTH).rev() {
            let digit = usize::try_from(self.0 >> (5 * place) & 31).unwrap_or_default();
            let digit = DIGITS.get(digit).copied().unwrap_or(b'0');
            write!(f, "{}", char::from(digit))?;
        }
        Ok(())
    }
}

impl FromStr for Number {
    type Err = BadNumber;

    fn from_str(text: &str) -> Result<Self, BadNumber> {
        let mut value: u128 = 0;
        if text.len() != LENGTH || text.as_bytes().first().is_some_and(|&first| first > b'7') {
            return Err(BadNumber);
        }
        for byte in text.bytes() {
            let digit = DIGITS
                .iter()
                .position(|&digit| digit == byte.to_ascii_uppercase());
            value = value << 5 | digit.ok_or(BadNumber)? as u128;
        }
        Ok(Self(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort_as_their_texts_and_tell_their_time() {
        let moment = Moment::of_milliseconds(1_795_219_199_123);
        let later = Moment::of_milliseconds(1_795_219_199_124);
        let (a, b) = (Number::first_of(moment), Number::first_of(later));
        assert!(a < b && a.to_string() < b.to_string());
        assert_eq!(a.at(), moment);
        let number = Number::new().unwrap();
        assert_eq!(number.to_string().parse(), Ok(number));
        assert_eq!(number.to_string().to_lowercase().parse(), Ok(number));
        let many: Vec<Number> = (0..10_000).map(|_| Number::new().unwrap()).collect();
        assert!(many.is_sorted_by(|a, b| a < b));
        for bad in [
            "",
            "01",
            "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "0000000000000000000000000U",
            "将将将将将将将将a ",
        ] {
            assert_eq!(bad.parse::<Number>(), Err(BadNumber), "{bad}");
        }
    }
}
