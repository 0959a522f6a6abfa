//! Numbers as text: seven bits a byte, the last one below 128, in base64 without padding.

use crate::language::{Text, both};
/// Numbers a certificate may have: far more than any has.
const MOST_WORDS: usize = 4_000_000;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// What each digit stands for; 64 for what is none.
#[expect(clippy::indexing_slicing, reason = "while it is compiled")]
const VALUES: [u8; 128] = {
    let mut values = [64; 128];
    let mut value = 0;
    while value < 64 {
        values[DIGITS[value as usize] as usize] = value;
        value += 1;
    }
    values
};

/// The text of numbers.
pub(crate) fn text_of(words: &[u32]) -> String {
    let mut bytes = Vec::new();
    for &word in words {
        let mut rest = word;
        while rest > 127 {
            bytes.push(rest.to_le_bytes()[0] | 128);
            rest >>= 7;
        }
        bytes.push(rest.to_le_bytes()[0]);
    }
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let at = |n: usize| u32::from(three.get(n).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..=three.len() {
            let index = bits >> (18 - 6 * digit) & 63;
            text.push(char::from(
                DIGITS.get(index as usize).copied().unwrap_or(b'A'),
            ));
        }
    }
    text
}

/// The numbers of a text; what is wrong with it otherwise.
pub(crate) fn words_of(text: &str) -> Result<Vec<u32>, Text> {
    let mut words = Vec::with_capacity(text.len() / 2);
    let (mut bits, mut held) = (0u32, 0);
    let (mut word, mut shift) = (0u32, 0);
    for (at, digit) in text.bytes().enumerate() {
        let value = VALUES.get(usize::from(digit)).copied().unwrap_or(64);
        if value == 64 {
            let at = at + 1;
            return Err(both!(
                "character {at} is no digit of base64",
                "第{at}个字符不是base64的数字"
            ));
        }
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held < 8 {
            continue;
        }
        held -= 8;
        let byte = bits >> held & 255;
        if shift > 21 || words.len() >= MOST_WORDS {
            return Err(both!(
                "a number is too large, or there are too many",
                "数太大或太多"
            ));
        }
        word |= (byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            words.push(word);
            (word, shift) = (0, 0);
        }
    }
    if shift > 0 {
        return Err(both!("it breaks off within a number", "最后一个数不完整"));
    }
    Ok(words)
}
