//! Floating-point literals: the bits of a number in its own format.

/// The bits of a literal for a type of this many bits; None if it cannot be one.
///
/// LLVM writes `float` and `double` in decimal if that is exact, otherwise as the bits of a `double`; other
/// formats as their own bits after a letter.
pub(super) fn bits(literal: &str, width: u32) -> Option<u128> {
    let Some(hex) = literal.strip_prefix("0x") else {
        let number: f64 = literal.parse().ok()?;
        return match width {
            64 => Some(u128::from(number.to_bits())),
            32 => Some(u128::from(narrow(number.to_bits()))),
            _ => None,
        };
    };
    match (hex.as_bytes().first()?, width) {
        (b'H', 16) => digits(&hex[1..], 4),
        (b'K', 80) => digits(&hex[1..], 20),
        // The low half is written first.
        (b'L', 128) => digits(&hex[1..], 32).map(|bits| bits.rotate_left(64)),
        (b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F', 64) => digits(hex, 16),
        (b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F', 32) => Some(u128::from(narrow(digits(hex, 16)? as u64))),
        _ => None,
    }
}

/// At most this many hexadecimal digits.
fn digits(text: &str, most: usize) -> Option<u128> {
    let good = text.len() <= most && text.bytes().all(|b| b.is_ascii_hexdigit());
    if good { u128::from_str_radix(text, 16).ok() } else { None }
}

/// The bits of a `float` from those of the `double` that stands for it. A signalling NaN stays one, which a
/// conversion by the processor would not grant.
fn narrow(double: u64) -> u32 {
    let number = f64::from_bits(double);
    if !number.is_nan() {
        return (number as f32).to_bits();
    }
    let sign = (double >> 63) as u32;
    let payload = (double >> 29) as u32 & 0x7f_ffff;
    sign << 31 | 0x7f80_0000 | if payload == 0 { 0x40_0000 } else { payload }
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn decimal_and_double_bits() {
        assert_eq!(bits("1.000000e+00", 64), Some(0x3ff0_0000_0000_0000));
        assert_eq!(bits("1.000000e+00", 32), Some(0x3f80_0000));
        assert_eq!(bits("-2.5", 32), Some(0xc020_0000));
        assert_eq!(bits("0x3FB99999A0000000", 32), Some(u128::from(0.1f32.to_bits())));
        assert_eq!(bits("0x7FF0000000000000", 32), Some(0x7f80_0000));
        assert_eq!(bits("0x7FF4000000000000", 32), Some(0x7fa0_0000));
        assert_eq!(bits("0xFFF8000000000000", 32), Some(0xffc0_0000));
    }

    #[test]
    fn own_formats() {
        assert_eq!(bits("0xH3C00", 16), Some(0x3c00));
        assert_eq!(bits("0xK3FFF8000000000000000", 80), Some(0x3fff_8000_0000_0000_0000));
        assert_eq!(bits("0xL00000000000000003FFF000000000000", 128), Some(0x3fff << 112));
    }

    #[test]
    fn what_does_not_fit_its_type() {
        for (text, width) in
            [("1.0", 80), ("0xK3FFF", 64), ("0xH3C00", 32), ("0x", 64), ("0x1g", 64), ("0xM00", 128)]
        {
            assert_eq!(bits(text, width), None, "{text} as {width} bits");
        }
        assert_eq!(bits("0x10000000000000000", 64), None);
    }
}
