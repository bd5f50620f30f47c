//! Decimal digits of numbers that are larger or more precise than what the host can print.

/// Limbs of a large number hold nine decimal digits each, the lowest first.
const LIMB: u64 = 1_000_000_000;

/// All digits of `significand` times two to the `exponent`, and how many of them stand behind the point.
pub(super) fn exact(significand: u64, exponent: i32) -> (String, usize) {
    let mut limbs = vec![significand % LIMB, significand / LIMB % LIMB, significand / LIMB / LIMB];
    // A power of two below one is a power of five, with as many places behind the point.
    let factor = if exponent >= 0 { 2 } else { 5 };
    for _ in 0..exponent.unsigned_abs() {
        let mut carry = 0;
        for limb in &mut limbs {
            let product = *limb * factor + carry;
            *limb = product % LIMB;
            carry = product / LIMB;
        }
        if carry != 0 {
            limbs.push(carry);
        }
    }
    let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
    let places = if exponent >= 0 { 0 } else { exponent.unsigned_abs() as usize };
    let mut text = text.trim_start_matches('0').to_string();
    if text.len() <= places {
        text = "0".repeat(places + 1 - text.len()) + &text;
    }
    (text, places)
}

/// The first `keep` digits, rounded to the nearest, to even if two are as near. May have one digit more.
fn round(digits: &str, keep: usize) -> String {
    let mut kept: Vec<u8> = digits.bytes().take(keep).collect();
    kept.resize(keep, b'0');
    let rest = digits.as_bytes().get(keep..).unwrap_or_default();
    let odd = kept.last().is_some_and(|digit| digit % 2 == 1);
    let up = match rest.split_first() {
        Some((b'5', more)) => odd || more.iter().any(|&digit| digit != b'0'),
        Some((&first, _)) => first > b'5',
        None => false,
    };
    if up {
        let mut at = kept.len();
        loop {
            match at.checked_sub(1) {
                None => {
                    kept.insert(0, b'1');
                    break;
                }
                Some(before) if kept[before] == b'9' => kept[before] = b'0',
                Some(before) => {
                    kept[before] += 1;
                    break;
                }
            }
            at -= 1;
        }
    }
    kept.into_iter().map(char::from).collect()
}

/// As `%f` writes it, with so many digits behind the point.
pub(super) fn plain(digits: &str, places: usize, behind: usize) -> String {
    let text = round(digits, digits.len() - places + behind);
    let (whole, fraction) = text.split_at(text.len() - behind);
    if behind == 0 { whole.to_string() } else { format!("{whole}.{fraction}") }
}

/// As Rust writes it with `{:e}`, with so many digits behind the point.
pub(super) fn scientific(digits: &str, places: usize, behind: usize) -> String {
    let zeros = digits.bytes().take_while(|&digit| digit == b'0').count();
    if zeros == digits.len() {
        return if behind == 0 { "0e0".into() } else { format!("0.{}e0", "0".repeat(behind)) };
    }
    let mut exponent = (digits.len() - places) as i64 - 1 - zeros as i64;
    let mut text = round(&digits[zeros..], behind + 1);
    if text.len() > behind + 1 {
        exponent += 1;
        text.truncate(behind + 1);
    }
    let (first, rest) = text.split_at(1);
    if rest.is_empty() { format!("{first}e{exponent}") } else { format!("{first}.{rest}e{exponent}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_exact() {
        assert_eq!(exact(5, -1), ("25".into(), 1));
        assert_eq!(exact(1, -3), ("0125".into(), 3));
        assert_eq!(exact(3, 4), ("48".into(), 0));
        assert_eq!(plain("0125", 3, 2), "0.12");
        assert_eq!(plain("0375", 3, 2), "0.38");
        assert_eq!(plain("9996", 1, 0), "1000");
        assert_eq!(scientific("0125", 3, 1), "1.2e-1");
        assert_eq!(scientific("9996", 1, 1), "1.0e3");
    }
}
