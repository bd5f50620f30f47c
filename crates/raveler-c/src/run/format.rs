//! The formats of `printf`, as the C library writes them.

use super::extended;

/// Where a format gets its arguments and strings from. `E` says why something cannot be read yet, or at all.
pub(super) trait Arguments<E> {
    /// The next word of the arguments.
    fn word(&mut self) -> Result<u64, E>;
    /// The next `long double`: its two words.
    fn long_double(&mut self) -> Result<(u64, u64), E>;
    /// The byte at an address.
    fn byte(&mut self, at: u64) -> Result<u8, E>;
    /// What cannot be printed.
    fn refuse(&mut self, what: String) -> E;
}

/// One conversion: what stands between `%` and its letter.
#[derive(Clone, Copy, Default)]
struct Directive {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// The size of an integer; 16 for `long double`.
    bytes: u32,
}

/// Nobody wants wider fields; more is taken to be a mistake.
const MAX_WIDTH: usize = 1 << 12;
/// A string without an end would be read for ever.
const MAX_STRING: usize = 1 << 20;

/// Print the arguments as the format at this address says.
pub(super) fn format<E>(arguments: &mut impl Arguments<E>, at: u64) -> Result<Vec<u8>, E> {
    let text = string(arguments, at, None)?;
    let mut rest = text.iter().copied().peekable();
    let mut out = Vec::new();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut directive = Directive { bytes: 4, ..Directive::default() };
        while let Some(flag) = rest.next_if(|byte| b"-+ #0'".contains(byte)) {
            match flag {
                b'-' => directive.left = true,
                b'+' => directive.plus = true,
                b' ' => directive.space = true,
                b'#' => directive.alternate = true,
                b'0' => directive.zeros = true,
                _ => {}
            }
        }
        let mut number = |rest: &mut std::iter::Peekable<_>| -> Result<i64, E> {
            if rest.next_if_eq(&b'*').is_some() {
                return Ok(i64::from(arguments.word()? as i32));
            }
            let mut value = 0i64;
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                value = value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
            }
            Ok(value)
        };
        let width = number(&mut rest)?;
        directive.left |= width < 0;
        directive.width = width.unsigned_abs() as usize;
        if rest.next_if_eq(&b'.').is_some() {
            directive.precision = usize::try_from(number(&mut rest)?).ok();
        }
        if directive.width > MAX_WIDTH || directive.precision.is_some_and(|p| p > MAX_WIDTH) {
            return Err(arguments.refuse("a field of a format is too wide".into()));
        }
        while let Some(length) = rest.next_if(|byte| b"hlLqjzt".contains(byte)) {
            directive.bytes = match length {
                b'h' => directive.bytes / 2,
                b'L' => 16,
                _ => 8,
            };
        }
        let letter = rest.next().unwrap_or(b'%');
        convert(arguments, &directive, letter, &mut out)?;
    }
    Ok(out)
}

/// The bytes up to a zero, but no more than asked for.
pub(super) fn string<E>(
    arguments: &mut impl Arguments<E>,
    at: u64,
    most: Option<usize>,
) -> Result<Vec<u8>, E> {
    let mut out = Vec::new();
    while most.is_none_or(|most| out.len() < most) {
        match arguments.byte(at.wrapping_add(out.len() as u64))? {
            0 => break,
            byte => out.push(byte),
        }
        if out.len() > MAX_STRING {
            return Err(arguments.refuse("a string of more than a million characters is printed".into()));
        }
    }
    Ok(out)
}

fn convert<E>(
    arguments: &mut impl Arguments<E>,
    directive: &Directive,
    letter: u8,
    out: &mut Vec<u8>,
) -> Result<(), E> {
    let unused = 64 - 8 * directive.bytes.clamp(1, 8);
    match letter {
        b'%' => out.push(b'%'),
        b'd' | b'i' => {
            let value = (arguments.word()? << unused) as i64 >> unused;
            let sign = sign(directive, value < 0);
            integer(directive, sign, value.unsigned_abs().to_string(), out);
        }
        b'u' | b'o' | b'x' | b'X' => {
            let value = arguments.word()? << unused >> unused;
            let (prefix, mut digits) = match letter {
                b'u' => ("", value.to_string()),
                b'o' => ("", format!("{value:o}")),
                b'x' => ("0x", format!("{value:x}")),
                _ => ("0X", format!("{value:X}")),
            };
            if letter == b'o' && directive.alternate && value != 0 {
                digits.insert(0, '0');
            }
            let prefix = if directive.alternate && value != 0 { prefix } else { "" };
            integer(directive, prefix, digits, out);
        }
        b'p' => match arguments.word()? {
            0 => pad(directive, "", b"(nil)", false, out),
            value => integer(directive, "0x", format!("{value:x}"), out),
        },
        b'c' if directive.bytes != 8 => {
            let byte = arguments.word()? as u8;
            pad(directive, "", &[byte], false, out);
        }
        b's' if directive.bytes != 8 => {
            let at = arguments.word()?;
            let text = match at {
                0 if directive.precision.is_none_or(|p| p >= 6) => b"(null)".to_vec(),
                0 => Vec::new(),
                _ => string(arguments, at, directive.precision)?,
            };
            pad(directive, "", &text, false, out);
        }
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
            let text = if directive.bytes == 16 {
                let words = arguments.long_double()?;
                extended::print(words, letter.to_ascii_lowercase(), directive.precision, directive.alternate)
            } else {
                let value = f64::from_bits(arguments.word()?);
                Some(double(value, letter.to_ascii_lowercase(), directive.precision, directive.alternate))
            };
            let Some((negative, text)) = text else {
                return Err(arguments.refuse("`long double` is not printed in this format".into()));
            };
            let finite = text.ends_with(|c: char| c.is_ascii_digit() || c == '.') || text.starts_with("0x");
            let text = if letter.is_ascii_uppercase() { text.to_uppercase() } else { text };
            let (hexadecimal, digits) = match text.get(..2) {
                Some("0x" | "0X") => text.split_at(2),
                _ => ("", text.as_str()),
            };
            let prefix = format!("{}{hexadecimal}", sign(directive, negative));
            pad(directive, &prefix, digits.as_bytes(), finite, out);
        }
        other => {
            let what = format!("the conversion `%{}` of a format is not supported", char::from(other));
            return Err(arguments.refuse(what));
        }
    }
    Ok(())
}

fn sign(directive: &Directive, negative: bool) -> &'static str {
    match (negative, directive.plus, directive.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn integer(directive: &Directive, prefix: &str, mut digits: String, out: &mut Vec<u8>) {
    match directive.precision {
        Some(0) if digits == "0" => digits.clear(),
        Some(precision) if digits.len() < precision => {
            digits = "0".repeat(precision - digits.len()) + &digits;
        }
        _ => {}
    }
    pad(directive, prefix, digits.as_bytes(), directive.precision.is_none(), out);
}

fn pad(directive: &Directive, prefix: &str, text: &[u8], zeros: bool, out: &mut Vec<u8>) {
    let missing = directive.width.saturating_sub(prefix.len() + text.len());
    let fill = |out: &mut Vec<u8>, byte| out.resize(out.len() + missing, byte);
    let zeros = zeros && directive.zeros && !directive.left;
    if !directive.left && !zeros {
        fill(out, b' ');
    }
    out.extend_from_slice(prefix.as_bytes());
    if zeros {
        fill(out, b'0');
    }
    out.extend_from_slice(text);
    if directive.left {
        fill(out, b' ');
    }
}

/// Is it negative, and its digits without the sign.
pub(super) fn double(value: f64, letter: u8, precision: Option<usize>, alternate: bool) -> (bool, String) {
    let negative = value.is_sign_negative();
    let value = value.abs();
    let text = if value.is_nan() {
        "nan".into()
    } else if value.is_infinite() {
        "inf".into()
    } else if letter == b'a' {
        hexadecimal(value, precision, alternate)
    } else {
        decimal(letter, precision, alternate, &|digits| format!("{value:.digits$}"), &|digits| {
            format!("{value:.digits$e}")
        })
    };
    (negative, text)
}

/// The decimal conversions, given how a number is written plainly and with an exponent (as Rust does: `1.5e-7`).
pub(super) fn decimal(
    letter: u8,
    precision: Option<usize>,
    alternate: bool,
    plain: &dyn Fn(usize) -> String,
    scientific: &dyn Fn(usize) -> String,
) -> String {
    let digits = precision.unwrap_or(6);
    let point = |mut text: String| {
        if alternate && !text.contains('.') {
            text.push('.');
        }
        text
    };
    match letter {
        b'f' => point(plain(digits)),
        b'e' => {
            let (mantissa, exponent) = split(&scientific(digits));
            exponential(&point(mantissa), exponent)
        }
        _ => {
            let significant = digits.max(1);
            let (mantissa, exponent) = split(&scientific(significant - 1));
            let strip = |text: String| {
                if alternate || !text.contains('.') {
                    return point(text);
                }
                text.trim_end_matches('0').trim_end_matches('.').to_string()
            };
            if exponent < -4 || exponent >= significant as i32 {
                exponential(&strip(mantissa), exponent)
            } else {
                strip(plain((significant as i32 - 1 - exponent).max(0) as usize))
            }
        }
    }
}

fn split(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    (mantissa.to_string(), exponent.parse().unwrap_or(0))
}

fn exponential(mantissa: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

/// `%a`: one digit before the point, then those of the fraction.
fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    let bits = value.to_bits();
    let (mut exponent, mut fraction) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
    let mut first = 1;
    if exponent == 0 {
        first = 0;
        exponent = if fraction == 0 { 1023 } else { 1 };
    }
    let mut digits = 13;
    if let Some(precision) = precision.filter(|&p| p < 13) {
        // Round to the nearest, to even if two are as near.
        let cut = 52 - 4 * precision as u32;
        let whole = first << 52 | fraction;
        let (kept, rest, half) = (whole >> cut, whole & ((1 << cut) - 1), 1u64 << (cut - 1));
        let kept = kept + u64::from(rest > half || rest == half && kept & 1 != 0);
        first = kept << cut >> 52;
        fraction = kept << cut & ((1 << 52) - 1);
        digits = precision;
    }
    let mut text = format!("{fraction:013x}");
    text.truncate(digits);
    match precision {
        None => text.truncate(text.trim_end_matches('0').len()),
        Some(precision) => text.push_str(&"0".repeat(precision - digits)),
    }
    let point = if text.is_empty() && !alternate { "" } else { "." };
    format!("0x{first}{point}{text}p{:+}", exponent - 1023)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Given(Vec<u64>, &'static [u8]);

    impl Arguments<String> for Given {
        fn word(&mut self) -> Result<u64, String> {
            Ok(self.0.remove(0))
        }
        fn long_double(&mut self) -> Result<(u64, u64), String> {
            Ok((self.0.remove(0), self.0.remove(0)))
        }
        fn byte(&mut self, at: u64) -> Result<u8, String> {
            Ok(self.1.get(at as usize).copied().unwrap_or(0))
        }
        fn refuse(&mut self, what: String) -> String {
            what
        }
    }

    fn print(format_text: &'static str, words: &[u64]) -> String {
        let text = format(&mut Given(words.to_vec(), format_text.as_bytes()), 0).expect("a known format");
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn numbers_are_written_as_the_c_library_does() {
        assert_eq!(print("%d|%5d|%-5d|%05d", &[7, 7, 7, u64::MAX]), "7|    7|7    |-0001");
        assert_eq!(print("%#x %#o %hhx %+d", &[255, 8, 0x1ff, 3]), "0xff 010 ff +3");
        assert_eq!(print("%.3d|%.0d|%*d", &[7, 0, 4, 9]), "007||   9");
        let bits = f64::to_bits;
        assert_eq!(print("%f %.2e %g", &[bits(1.5), bits(12345.678), bits(1e-5)]), "1.500000 1.23e+04 1e-05");
        assert_eq!(
            print("%g %g %#g %G", &[bits(100000.0), bits(1e6), bits(1.0), bits(1e-10)]),
            "100000 1e+06 1.00000 1E-10"
        );
        assert_eq!(
            print("%a %.1a %08.2f", &[bits(1.0), bits(1.999), bits(-3.25159)]),
            "0x1p+0 0x2.0p+0 -0003.25"
        );
        assert_eq!(print("%f %5.1F", &[bits(f64::INFINITY), bits(-f64::NAN)]), "inf  -NAN");
    }
}
