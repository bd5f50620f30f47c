//! Which files are a library's, whose places say nothing to the user.

/// Does this file belong to a library?
pub(crate) fn is_library(file: &str) -> bool {
    file.starts_with("/usr/") || is_ours(file) || file.ends_with("librace.h")
}

/// Is it a library's function that is there in C?
pub(crate) fn is_ours(file: &str) -> bool {
    const OURS: [&str; 13] = [
        "raveler_streams.h",
        "raveler_libc.h",
        "raveler_cxx.h",
        "raveler_strings.h",
        "raveler_cpp.h",
        "raveler_exceptions.h",
        "raveler_future.h",
        "raveler_futex.h",
        "raveler_barrier.h",
        "raveler_latch.h",
        "raveler_more.h",
        "raveler_hazard.h",
        "raveler_exits.h",
    ];
    OURS.iter().any(|ours| file.ends_with(ours))
}
