//! Numbers of a drawing, as short as SVG allows.

use std::fmt::{self, Display, Formatter};

/// A number to so many decimals, no more than five.
pub(super) struct Short(pub f64, pub u32);

impl Display for Short {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(number, digits) = *self;
        let digits = digits.min(5);
        let unit = 10_u64.pow(digits);
        let all = rounded(number, unit);
        let (whole, rest) = (all / unit, all % unit);
        if number < 0.0 && all > 0 {
            f.write_str("-")?;
        }
        if rest == 0 {
            return write!(f, "{whole}");
        }
        if whole > 0 {
            write!(f, "{whole}")?;
        }
        let decimals = format!("{rest:0width$}", width = digits as usize);
        write!(f, ".{}", decimals.trim_end_matches('0'))
    }
}

/// How many parts of a unit a number comes to without its sign, a half to the even one: exactly as where it is written out
/// at length, for which the library needs far more.
fn rounded(number: f64, unit: u64) -> u64 {
    // What lies on a board is far less.
    let bits = number.abs().min(1e12).to_bits();
    let (exponent, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    let parts = u128::from(fraction | u64::from(exponent > 0) << 52) * u128::from(unit);
    // The number is as many parts as these, halved so often.
    let halved = 1075_u64.saturating_sub(exponent);
    if halved > 100 {
        return 0;
    }
    let whole = parts >> halved;
    let twice = (parts - (whole << halved)) << 1;
    let up = twice + (whole & 1) > 1 << halved;
    u64::try_from(whole).unwrap_or_default() + u64::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, digits, text) in [
            (0.0, 1, "0"),
            (-0.0, 1, "0"),
            (-0.04, 1, "0"),
            (0.5, 4, ".5"),
            (-0.8944, 4, "-.8944"),
            (120.0, 1, "120"),
            (12.25, 1, "12.2"),
            (100.0, 0, "100"),
            (10.0, 1, "10"),
            (1.1011, 4, "1.1011"),
        ] {
            assert_eq!(Short(value, digits).to_string(), text);
        }
    }

    #[test]
    fn they_are_those_that_are_written_out_at_length() {
        let mut number = 1e-7_f64;
        while number < 1e6 {
            for (digits, unit) in [(0, 1), (1, 10), (2, 100), (4, 10_000)] {
                let near = [0.25, 0.5, 0.35].map(|part| number.floor() + part);
                for value in near.into_iter().chain([number]) {
                    let text = format!("{value:.digits$}").replace('.', "");
                    let all: u64 = text.parse().unwrap();
                    assert_eq!(rounded(value, unit), all, "{value} {digits}");
                }
            }
            number *= 1.0007;
        }
    }
}
