//! The text of inline assembly as LLVM IR has it: instructions and their operands. What is not understood is `None`, and
//! the caller refuses it.

/// One instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// With the prefix `lock`.
    pub lock: bool,
    /// Its name, with the letter of its width.
    pub name: String,
    /// In the order of the text: the source first.
    pub operands: Vec<Place>,
}

/// An operand as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// `$0`, or `${0:w}` with the bits that its letter means.
    Slot(usize, Option<u32>),
    /// `$$1`
    Immediate(i64),
    /// `%eax`: the register by its shortest name, and the bits of this name.
    Register(&'static str, u32),
    /// `8($0)`: memory behind the address that an operand holds.
    Behind(usize, i64),
    /// `0(%rsp)`: the top of the stack.
    Stack,
}

/// The instructions of a template.
pub(super) fn lines(template: &str) -> Option<Vec<Line>> {
    let mut lines = Vec::new();
    let mut lock = false;
    for piece in template.split(['\n', ';']).map(str::trim).filter(|piece| !piece.is_empty()) {
        let (first, rest) = piece.split_once([' ', '\t']).unwrap_or((piece, ""));
        let (name, rest) = match (first, rest.trim()) {
            ("lock", "") if !lock => {
                lock = true;
                continue;
            }
            ("lock", rest) if !lock => {
                lock = true;
                rest.split_once([' ', '\t']).unwrap_or((rest, ""))
            }
            // What it repeats follows, and the processor takes both for `pause`.
            ("rep", "") => ("rep", ""),
            ("rep", "nop") => ("pause", ""),
            other => other,
        };
        let mut name = name.trim().to_string();
        if name == "nop" && lines.last().is_some_and(|line: &Line| line.name == "rep") {
            lines.pop();
            name = "pause".into();
        }
        let operands = match rest.trim() {
            "" => Vec::new(),
            rest => operands(rest)?,
        };
        lines.push(Line { lock, name, operands });
        lock = false;
    }
    (!lock && lines.iter().all(|line| line.name != "rep")).then_some(lines)
}

fn operands(text: &str) -> Option<Vec<Place>> {
    text.split(',').map(|operand| place(operand.trim())).collect()
}

fn place(text: &str) -> Option<Place> {
    if let Some(number) = text.strip_prefix("$$") {
        return number_of(number).map(Place::Immediate);
    }
    if let Some(register) = text.strip_prefix('%') {
        let (name, bits) = register_of(register)?;
        return Some(Place::Register(name, bits));
    }
    if let Some(inner) = text.strip_suffix(')') {
        let (offset, base) = inner.split_once('(')?;
        let offset = if offset.is_empty() { 0 } else { number_of(offset)? };
        if matches!(base, "%rsp" | "%esp") {
            return Some(Place::Stack);
        }
        return match slot(base)? {
            (index, None) => Some(Place::Behind(index, offset)),
            _ => None,
        };
    }
    slot(text).map(|(index, bits)| Place::Slot(index, bits))
}

fn slot(text: &str) -> Option<(usize, Option<u32>)> {
    let rest = text.strip_prefix('$')?;
    let Some(inner) = rest.strip_prefix('{') else { return Some((rest.parse().ok()?, None)) };
    let (index, letter) = inner.strip_suffix('}')?.split_once(':')?;
    let bits = match letter {
        "b" => 8,
        "w" => 16,
        "k" => 32,
        "q" => 64,
        _ => return None,
    };
    Some((index.parse().ok()?, Some(bits)))
}

fn number_of(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let number = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(sign * number)
}

/// A register by any of its names: the shortest one, and how many bits this name means.
pub(super) fn register_of(name: &str) -> Option<(&'static str, u32)> {
    const NAMES: [(&str, &str, &str, &str); 6] = [
        ("rax", "eax", "ax", "al"),
        ("rbx", "ebx", "bx", "bl"),
        ("rcx", "ecx", "cx", "cl"),
        ("rdx", "edx", "dx", "dl"),
        ("rsi", "esi", "si", "sil"),
        ("rdi", "edi", "di", "dil"),
    ];
    NAMES.into_iter().find_map(|(whole, half, short, byte)| {
        let all = [(whole, 64), (half, 32), (short, 16), (byte, 8)];
        all.into_iter().find(|(known, _)| *known == name).map(|(_, bits)| (short, bits))
    })
}

/// The instruction without the letter of its width, and the bits that the letter means.
pub(super) fn mnemonic(name: &str) -> Option<(&'static str, Option<u32>)> {
    const KNOWN: [&str; 15] = [
        "mov", "xchg", "xadd", "cmpxchg", "add", "sub", "and", "or", "xor", "inc", "dec", "not", "bts",
        "btr", "btc",
    ];
    let known = |name: &str| KNOWN.into_iter().find(|known| *known == name);
    if let Some(name) = known(name) {
        return Some((name, None));
    }
    let (base, letter) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let bits = match letter {
        "b" => 8,
        "w" => 16,
        "l" => 32,
        "q" => 64,
        _ => return None,
    };
    Some((known(base)?, Some(bits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(lock: bool, name: &str, operands: &[Place]) -> Line {
        Line { lock, name: name.into(), operands: operands.to_vec() }
    }

    #[test]
    fn a_prefix_may_stand_by_itself() {
        let wanted = vec![line(true, "xaddl", &[Place::Slot(1, None), Place::Slot(0, None)])];
        assert_eq!(lines("lock; xaddl $1, $0"), Some(wanted.clone()));
        assert_eq!(lines("lock xaddl $1,$0;"), Some(wanted.clone()));
        assert_eq!(lines("lock\n\txaddl\t$1, $0\n"), Some(wanted));
        assert_eq!(lines("lock;"), None);
    }

    #[test]
    fn a_repeated_nop_is_a_pause() {
        let pause = Some(vec![line(false, "pause", &[])]);
        assert_eq!(lines("rep; nop"), pause);
        assert_eq!(lines("rep nop"), pause);
        assert_eq!(lines("rep; movsb"), None);
    }

    #[test]
    fn operands_are_slots_numbers_registers_and_memory() {
        assert_eq!(place("${2:w}"), Some(Place::Slot(2, Some(16))));
        assert_eq!(place("$$-1"), Some(Place::Immediate(-1)));
        assert_eq!(place("%eax"), Some(Place::Register("ax", 32)));
        assert_eq!(place("8($4)"), Some(Place::Behind(4, 8)));
        assert_eq!(place("-4(%rsp)"), Some(Place::Stack));
        assert_eq!(place("%fs:0"), None);
    }

    #[test]
    fn the_last_letter_is_a_width_only_where_the_rest_is_known() {
        assert_eq!(mnemonic("sub"), Some(("sub", None)));
        assert_eq!(mnemonic("subb"), Some(("sub", Some(8))));
        assert_eq!(mnemonic("cmpxchgq"), Some(("cmpxchg", Some(64))));
        assert_eq!(mnemonic("cmpxchg16b"), None);
        assert_eq!(mnemonic("movsb"), None);
    }
}
