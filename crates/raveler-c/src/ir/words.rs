//! The words of LLVM IR that name one of a closed set of things.

use super::{Binary, Cast, Compare, Order, Rmw};

pub(super) fn order(word: &str) -> Option<Order> {
    Some(match word {
        "unordered" => Order::Unordered,
        "monotonic" => Order::Monotonic,
        "acquire" => Order::Acquire,
        "release" => Order::Release,
        "acq_rel" => Order::AcqRel,
        "seq_cst" => Order::SeqCst,
        _ => return None,
    })
}

pub(super) fn rmw(word: &str) -> Option<Rmw> {
    Some(match word {
        "xchg" => Rmw::Xchg,
        "add" => Rmw::Add,
        "sub" => Rmw::Sub,
        "and" => Rmw::And,
        "nand" => Rmw::Nand,
        "or" => Rmw::Or,
        "xor" => Rmw::Xor,
        "max" => Rmw::Max,
        "min" => Rmw::Min,
        "umax" => Rmw::UMax,
        "umin" => Rmw::UMin,
        "fadd" => Rmw::FAdd,
        "fsub" => Rmw::FSub,
        "fmax" => Rmw::FMax,
        "fmin" => Rmw::FMin,
        _ => return None,
    })
}

pub(super) fn binary(word: &str) -> Option<Binary> {
    Some(match word {
        "add" => Binary::Add,
        "sub" => Binary::Sub,
        "mul" => Binary::Mul,
        "udiv" => Binary::UDiv,
        "sdiv" => Binary::SDiv,
        "urem" => Binary::URem,
        "srem" => Binary::SRem,
        "shl" => Binary::Shl,
        "lshr" => Binary::LShr,
        "ashr" => Binary::AShr,
        "and" => Binary::And,
        "or" => Binary::Or,
        "xor" => Binary::Xor,
        "fadd" => Binary::FAdd,
        "fsub" => Binary::FSub,
        "fmul" => Binary::FMul,
        "fdiv" => Binary::FDiv,
        "frem" => Binary::FRem,
        _ => return None,
    })
}

/// Whether this arithmetic is on floating-point numbers.
pub(super) fn on_floats(op: Binary) -> bool {
    matches!(op, Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FRem)
}

/// The condition of an `icmp`.
pub(super) fn integer_condition(word: &str) -> Option<Compare> {
    Some(match word {
        "eq" => Compare::Eq,
        "ne" => Compare::Ne,
        "ugt" => Compare::Ugt,
        "uge" => Compare::Uge,
        "ult" => Compare::Ult,
        "ule" => Compare::Ule,
        "sgt" => Compare::Sgt,
        "sge" => Compare::Sge,
        "slt" => Compare::Slt,
        "sle" => Compare::Sle,
        _ => return None,
    })
}

/// The condition of an `fcmp`.
pub(super) fn float_condition(word: &str) -> Option<Compare> {
    Some(match word {
        "false" => Compare::FFalse,
        "oeq" => Compare::FOeq,
        "ogt" => Compare::FOgt,
        "oge" => Compare::FOge,
        "olt" => Compare::FOlt,
        "ole" => Compare::FOle,
        "one" => Compare::FOne,
        "ord" => Compare::FOrd,
        "uno" => Compare::FUno,
        "ueq" => Compare::FUeq,
        "ugt" => Compare::FUgt,
        "uge" => Compare::FUge,
        "ult" => Compare::FUlt,
        "ule" => Compare::FUle,
        "une" => Compare::FUne,
        "true" => Compare::FTrue,
        _ => return None,
    })
}

pub(super) fn cast(word: &str) -> Option<Cast> {
    Some(match word {
        "trunc" => Cast::Trunc,
        "zext" => Cast::ZExt,
        "sext" => Cast::SExt,
        "fptrunc" => Cast::FpTrunc,
        "fpext" => Cast::FpExt,
        "fptoui" => Cast::FpToUi,
        "fptosi" => Cast::FpToSi,
        "uitofp" => Cast::UiToFp,
        "sitofp" => Cast::SiToFp,
        "ptrtoint" | "ptrtoaddr" => Cast::PtrToInt,
        "inttoptr" => Cast::IntToPtr,
        "bitcast" => Cast::Bitcast,
        "addrspacecast" => Cast::AddrSpaceCast,
        _ => return None,
    })
}

/// Words that start a value: what stands between a type and one of these (or a name, a number, a bracket) is
/// an attribute. Also those that are refused, so that the refusal names them.
pub(super) fn starts_value(word: &str) -> bool {
    matches!(
        word,
        "null"
            | "undef"
            | "poison"
            | "true"
            | "false"
            | "none"
            | "zeroinitializer"
            | "getelementptr"
            | "splat"
            | "blockaddress"
            | "icmp"
            | "fcmp"
            | "select"
            | "asm"
            | "dso_local_equivalent"
            | "no_cfi"
            | "ptrauth"
            | "extractelement"
            | "insertelement"
            | "shufflevector"
            | "extractvalue"
            | "insertvalue"
            | "fneg"
    ) || cast(word).is_some()
        || binary(word).is_some()
}

/// Words that start a type, also those that are refused.
pub(super) fn starts_type(word: &str) -> bool {
    match word.strip_prefix('i') {
        Some(width) if !width.is_empty() && width.bytes().all(|b| b.is_ascii_digit()) => true,
        _ => matches!(
            word,
            "ptr"
                | "void"
                | "float"
                | "double"
                | "half"
                | "x86_fp80"
                | "fp128"
                | "metadata"
                | "label"
                | "token"
                | "bfloat"
                | "ppc_fp128"
                | "x86_mmx"
                | "x86_amx"
                | "target"
        ),
    }
}
