//! `raveler-corpus xmm`: compare tables, or show the executions of one row.

use std::io;
use std::path::PathBuf;

use raveler_core::{Equivalence, XmmRules};

use super::measure::{Compared, compare, compare_rules};
use super::show::show;
use super::table::{Row, Rules, rows};

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// A table, or a folder of them.
    path: PathBuf,
    /// Only the row with this name.
    only: Option<String>,
    /// Under which rules; all if none is named, and then they are compared with each other as well.
    rules: Vec<Rules>,
    /// Show the executions of the row with this name.
    show: Option<String>,
    /// Of what.
    model: ShownModel,
    /// Told apart by.
    equivalence: Equivalence,
}

/// The models that a row can be shown under.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ShownModel {
    Rc20,
    Xmm,
}

impl Options {
    /// Read the words after the command's name; none if they mean nothing.
    pub fn read(words: &[&str]) -> Option<Options> {
        let mut options = Options {
            path: PathBuf::from("corpus/xmm"),
            only: None,
            rules: Vec::new(),
            show: None,
            model: ShownModel::Xmm,
            equivalence: Equivalence::Coherence,
        };
        let mut words = words.iter();
        let mut has_path = false;
        while let Some(&word) = words.next() {
            match word {
                "--only" => options.only = Some((*words.next()?).to_owned()),
                "--show" => options.show = Some((*words.next()?).to_owned()),
                "--rules" => {
                    let rules: Option<Vec<Rules>> = words.next()?.split(',').map(Rules::find).collect();
                    options.rules.extend(rules?);
                }
                "--model" => {
                    options.model = match *words.next()? {
                        "rc20" => ShownModel::Rc20,
                        "xmm" => ShownModel::Xmm,
                        _ => return None,
                    }
                }
                "--equivalence" => {
                    options.equivalence = match *words.next()? {
                        "co" => Equivalence::Coherence,
                        "rf" => Equivalence::ReadsFrom,
                        _ => return None,
                    }
                }
                path if !path.starts_with('-') && !has_path => {
                    options.path = PathBuf::from(path);
                    has_path = true;
                }
                _ => return None,
            }
        }
        Some(options)
    }

    /// The row with this name, or why there is none.
    fn find(&self, rows: Vec<Row>, name: &str) -> io::Result<Row> {
        let found = rows.into_iter().find(|row| row.name == name);
        found.ok_or_else(|| io::Error::other(format!("{}: there is no row {name}", self.path.display())))
    }
}

/// Do it; false if there was a difference.
pub fn run(options: &Options) -> io::Result<bool> {
    let all = rows(&options.path)?;
    if let Some(name) = &options.show {
        let row = options.find(all, name)?;
        let rules = match (options.model, options.rules.first()) {
            (ShownModel::Rc20, _) => Rules::Rc20,
            (ShownModel::Xmm, Some(&rules)) => rules,
            (ShownModel::Xmm, None) => Rules::Xmm(XmmRules::Default),
        };
        print!("{}", show(&row, rules, options.equivalence).map_err(io::Error::other)?);
        return Ok(true);
    }
    let rows = match &options.only {
        Some(name) => vec![options.find(all, name)?],
        None => all,
    };
    let rules = if options.rules.is_empty() { Rules::all() } else { options.rules.clone() };
    let mut total = Compared::default();
    for row in &rows {
        let mut compared = compare(row, &rules).map_err(io::Error::other)?;
        if options.rules.is_empty() {
            compared.add(compare_rules(row).map_err(io::Error::other)?);
        }
        for difference in &compared.differences {
            println!("{difference}");
        }
        total.add(compared);
    }
    for &one in &rules {
        let differing = rows.iter().filter(|row| {
            total.differences.iter().any(|difference| difference.rules == one && difference.name == row.name)
        });
        println!("{one}: {} of {} rows differ", differing.count(), rows.len());
    }
    let Compared { searches, unknown, differences } = &total;
    let differences = differences.len();
    println!(
        "{} rows, {searches} searches, {unknown} not made for want of numbers, {differences} differences",
        rows.len()
    );
    Ok(differences == 0 && *searches > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_or_refused() {
        let options = Options::read(&["table.tsv", "--only", "LB", "--rules", "rc20,strict"]).expect("known");
        assert_eq!(options.path, PathBuf::from("table.tsv"));
        assert_eq!(options.only.as_deref(), Some("LB"));
        assert_eq!(options.rules, [Rules::Rc20, Rules::Xmm(XmmRules::Strict)]);
        assert_eq!(Options::read(&[]).expect("nothing is needed").path, PathBuf::from("corpus/xmm"));
        for wrong in [&["--rules", "none"][..], &["--only"], &["a", "b"], &["--model", "sc"], &["--fast"]] {
            assert_eq!(Options::read(wrong), None, "{wrong:?}");
        }
    }
}
