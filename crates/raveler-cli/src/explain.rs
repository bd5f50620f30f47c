//! `raveler explain`: one page per code, kept as Markdown in `explain/`.

macro_rules! pages {
    ($($code:literal)*) => {
        /// All pages, by code.
        pub const PAGES: &[(&str, &str)] = &[$(($code, include_str!(concat!("../explain/", $code, ".md")))),*];
    };
}

pages! {
    "E0001" "E0002" "E0004" "E0005" "E0006" "E0007"
    "E0100" "E0101" "E0102" "E0103" "E0104" "E0105" "E0106" "E0107" "E0108" "E0109"
    "E0110" "E0111" "E0112" "E0113" "E0114" "E0115" "E0116" "E0117" "E0118" "E0119"
    "E0120" "E0121" "E0122" "E0123" "E0124" "E0125" "E0126" "E0127" "E0128" "E0129"
    "E0130" "E0131" "E0132"
    "E0200" "E0201" "E0202" "E0203"
}

/// The page of a code, however it is capitalised.
pub fn page(code: &str) -> Option<&'static str> {
    PAGES.iter().find(|(known, _)| known.eq_ignore_ascii_case(code)).map(|(_, page)| *page)
}

/// All codes with their titles, one per line.
pub fn list() -> String {
    PAGES
        .iter()
        .map(|(_, page)| page.lines().next().unwrap_or_default().trim_start_matches("# ").to_string() + "\n")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_code_has_a_page_and_every_page_a_code() {
        let litmus = raveler_litmus::error::CODES.iter().map(|c| c.code);
        let used: BTreeSet<&str> = crate::refusal::code::ALL.into_iter().chain(litmus).collect();
        let pages: BTreeSet<&str> = PAGES.iter().map(|(code, _)| *code).collect();
        assert_eq!(used, pages);
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/explain");
        let files = std::fs::read_dir(folder).expect("the folder is there");
        let files = files.map(|f| f.expect("it can be listed").file_name().to_string_lossy().into_owned());
        let files: BTreeSet<String> = files.collect();
        assert_eq!(files, pages.iter().map(|code| format!("{code}.md")).collect());
    }

    /// The litmus tests of a page that follow this word.
    fn examples<'a>(page: &'a str, word: &str) -> Option<&'a str> {
        let after = page.split_once(&format!("\n{word}:\n\n```litmus\n"))?.1;
        Some(after.split_once("```").expect("the block ends").0)
    }

    #[test]
    fn the_examples_of_the_pages_are_true() {
        let codes = |text| -> Vec<&str> {
            let mistakes = raveler_litmus::parse("page.litmus", text).err().unwrap_or_default();
            mistakes.iter().map(|d| d.code).collect()
        };
        let mut wrong = Vec::new();
        for (code, page) in PAGES {
            let refused = examples(page, "Refused").map(codes);
            let accepted = examples(page, "Accepted").map(codes);
            if refused.as_ref().is_some_and(|found| !found.contains(code))
                || accepted.iter().flatten().count() > 0
            {
                wrong.push((code, refused, accepted));
            }
        }
        assert!(
            wrong.is_empty(),
            "page, codes of what must be refused, of what must be accepted: {wrong:#?}"
        );
    }

    #[test]
    fn a_page_begins_with_its_code() {
        for (code, page) in PAGES {
            assert!(page.starts_with(&format!("# {code}: ")), "{code}");
            assert!(page.lines().count() >= 3, "{code} says something");
        }
        assert!(page("e0101").is_some() && page("E9999").is_none());
    }
}
