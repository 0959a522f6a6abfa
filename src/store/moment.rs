//! Moments, in milliseconds, written as RFC 3339 has them.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A moment, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u64);

impl Moment {
    /// Now.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let since = since.unwrap_or_default().as_millis();
        Self::of_milliseconds(u64::try_from(since).unwrap_or(u64::MAX))
    }

    /// So many milliseconds after the beginning of 1970, but not after the year 9999.
    pub const fn of_milliseconds(milliseconds: u64) -> Self {
        const LAST: u64 = 253_402_300_799_999;
        Self(if milliseconds > LAST {
            LAST
        } else {
            milliseconds
        })
    }

    /// Milliseconds since the beginning of 1970.
    pub const fn milliseconds(self) -> u64 {
        self.0
    }

    /// As a column holds it.
    pub fn stored(self) -> i64 {
        i64::try_from(self.0).unwrap_or(i64::MAX)
    }

    /// As a column held it.
    pub fn of_stored(stored: i64) -> Self {
        Self::of_milliseconds(u64::try_from(stored).unwrap_or_default())
    }

    /// Reads a date `2026-11-21`, or a moment `2026-11-21T09:30:00Z`, perhaps with a fraction or
    /// an offset.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |from: usize, to: usize| -> Option<u64> {
            let part = text.get(from..to)?;
            let plain = part.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| part.parse().ok()).flatten()
        };
        let sign = |at: usize, of: &str| text.get(at..=at).filter(|c| of.contains(c));
        sign(4, "-").and(sign(7, "-"))?;
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = match month {
            2 => 28 + u64::from(leap),
            4 | 6 | 9 | 11 => 30,
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            _ => return None,
        };
        if day == 0 || day > length || year < 1970 {
            return None;
        }
        let midnight = days(year, month, day) * 86_400_000;
        if text.len() == 10 {
            return Some(Self(midnight));
        }
        sign(10, "Tt ").and(sign(13, ":")).and(sign(16, ":"))?;
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let mut rest = text.get(19..)?;
        let mut fraction = 0;
        if let Some(after) = rest.strip_prefix('.') {
            let end = after
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(after.len());
            let digits = after.get(..end).filter(|digits| !digits.is_empty())?;
            fraction = format!("{digits:0<3}").get(..3)?.parse().ok()?;
            rest = after.get(end..)?;
        }
        let at = midnight + ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
        if rest.eq_ignore_ascii_case("z") {
            return Some(Self(at));
        }
        let offset = rest.as_bytes();
        let [direction, h1, h2, b':', m1, m2] = offset else {
            return None;
        };
        let two = |a: &u8, b: &u8| -> Option<u64> {
            let digit = |c: &u8| c.is_ascii_digit().then(|| u64::from(c - b'0'));
            Some(digit(a)? * 10 + digit(b)?)
        };
        let (hours, minutes) = (two(h1, h2)?, two(m1, m2)?);
        if hours > 23 || minutes > 59 {
            return None;
        }
        let offset = (hours * 60 + minutes) * 60_000;
        match direction {
            b'+' => at.checked_sub(offset).map(Self),
            b'-' => Some(Self(at + offset)),
            _ => None,
        }
    }
}

/// Days since the beginning of 1970.
const fn days(year: u64, month: u64, day: u64) -> u64 {
    // Years begin in March here, so that the odd day comes last.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let of_era = year % 400;
    let of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    year / 400 * 146_097 + of_era - 719_468
}

/// A second since the beginning of 1970, written as RFC 3339 has it, without fraction and zone.
#[derive(Clone, Copy, Debug)]
pub struct Second(pub u64);

impl fmt::Display for Second {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (total, second) = (self.0 / 86_400, self.0 % 86_400);
        // Days since 1 March of the year 0, in eras of 400 years.
        let day = total + 719_468;
        let (era, of_era) = (day / 146_097, day % 146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let date = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + u64::from(month <= 2);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(
            f,
            "{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}"
        )
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}Z", Second(self.0 / 1000), self.0 % 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for milliseconds in [
            0,
            951_782_400_001,
            1_795_219_199_123,
            4_107_542_400_000,
            253_402_300_799_999,
        ] {
            let moment = Moment::of_milliseconds(milliseconds);
            assert_eq!(Moment::parse(&moment.to_string()), Some(moment), "{moment}");
        }
        let noon = Moment::parse("2026-11-21T12:00:00Z").unwrap();
        assert_eq!(Moment::parse("2026-11-21T20:00:00.0004+08:00"), Some(noon));
        assert_eq!(Moment::parse("2026-11-21T10:30:00-01:30"), Some(noon));
        assert_eq!(
            Moment::parse("2026-11-21").unwrap().to_string(),
            "2026-11-21T00:00:00.000Z"
        );
        for bad in [
            "",
            "2026",
            "2026-02-29",
            "2026-13-01",
            "2026-11-21T25:00:00Z",
            "2026-11-21T10:00:00",
            "1969-12-31",
            "2026-11-21T10:00:00+8",
            "2026-11-21T10:00:00+24:00",
            "2026-11-21T10:00:00+08:60",
            "二〇二六年",
        ] {
            assert_eq!(Moment::parse(bad), None, "{bad}");
        }
    }
}
