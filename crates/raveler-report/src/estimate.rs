//! The answer of `raveler estimate`: an order of magnitude, with how far the probes were apart.

use schemars::JsonSchema;
use serde::Serialize;

use crate::paint::{Colour, Tone, grouped, seconds};

/// An estimate of the size of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Estimate {
    /// The version of this format.
    pub schema: u32,
    /// The version of raveler.
    pub raveler: String,
    /// The file as the user gave it.
    pub file: String,
    /// The memory model.
    pub model: String,
    /// What counts as one execution.
    pub equivalence: String,
    /// How many random walks were made.
    pub probes: u64,
    /// With which seed.
    pub seed: u64,
    /// The mean of what the walks say about the number of executions.
    pub executions: f64,
    /// The standard error of that mean.
    pub std_error: f64,
    /// The largest weight of one walk.
    pub largest: f64,
    /// The mean of what the walks say about blocked explorations.
    pub blocked: f64,
    /// The mean of what they say about explorations that were cut short; executions behind them are not in `executions`.
    pub cut: f64,
    /// The mean of what they say about explorations that end with a violation.
    pub failed: f64,
    /// Wall-clock seconds.
    pub time_s: f64,
    /// What is left out beyond the equivalence, if something: the numbers are then of representatives.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reductions: Vec<String>,
    /// What the estimate leaves out, if something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Estimate {
    /// Was every walk that might have been an execution cut short?
    pub fn says_nothing(&self) -> bool {
        self.executions == 0.0 && self.cut > 0.0
    }
}

/// The estimate in words.
pub fn render(estimate: &Estimate, colour: Colour) -> String {
    let about = format!("{} ({}, {})", estimate.file, estimate.model, estimate.equivalence);
    if estimate.probes == 0 {
        let word = colour.paint(Tone::Open, "inconclusive:");
        let time = seconds(estimate.time_s);
        return format!(
            "{word} no random walk came to an end in {time}  {about}\n   = `raveler check` with the same limit says \
             where it was\n"
        );
    }
    let mut out = match estimate.says_nothing() {
        true => format!(
            "{} no walk came to the end of an execution  {about}\n",
            colour.paint(Tone::Open, "inconclusive:")
        ),
        false => {
            let word = colour.paint(Tone::Strong, "estimate:");
            format!("{word} {about} has about {} executions\n", rounded(estimate.executions))
        }
    };
    let probes = crate::paint::counted(estimate.probes, "random walk");
    let low = (estimate.executions - estimate.std_error).max(0.0);
    let high = estimate.executions + estimate.std_error;
    out.push_str(&format!("   = from {probes} (seed {}) in {}\n", estimate.seed, seconds(estimate.time_s)));
    if estimate.probes == 1 {
        out.push_str("   = one walk says nothing about the spread\n");
    } else if estimate.std_error > 0.0 {
        let spread = format!("{} to {}", rounded(low), rounded(high));
        out.push_str(&format!("   = within one standard error: {spread}\n"));
    } else if !estimate.says_nothing() {
        out.push_str("   = all walks agree\n");
    }
    if estimate.executions > 0.0 {
        out.push_str(&format!("   = the walk with the largest weight says {}\n", rounded(estimate.largest)));
    }
    if estimate.blocked > 0.0 {
        out.push_str(&format!("   = about {} blocked explorations besides\n", rounded(estimate.blocked)));
    }
    if estimate.failed > 0.0 {
        let failed = rounded(estimate.failed);
        out.push_str(&format!(
            "   = about {failed} explorations end with a violation: `raveler check` shows it\n"
        ));
    }
    if estimate.cut > 0.0 {
        let cut = rounded(estimate.cut);
        out.push_str(&format!(
            "   = about {cut} explorations were cut where a bound was met or a loop goes on without an end in sight: what is \
             behind them is not in the estimate\n   = `raveler check` names the loop; `--unroll N` bounds it, and the \
             estimate is then of that part\n"
        ));
    }
    if !estimate.reductions.is_empty() {
        let names = estimate.reductions.join(", ");
        out.push_str(&format!(
            "   = with reductions: {names}; `--reductions none` estimates what there is without\n"
        ));
    }
    if let Some(note) = &estimate.note {
        out.push_str(&format!("   = {note}\n"));
    }
    out.push_str("   = this is an order of magnitude, not a bound: rare large parts may have been missed\n");
    out
}

/// A guessed number: two digits are all that it is worth, except if it is small.
///
/// ```
/// assert_eq!(raveler_report::estimate::rounded(1234567.0), "1,200,000");
/// ```
pub fn rounded(number: f64) -> String {
    if !number.is_finite() || number >= 1e15 {
        return format!("{number:.1e}");
    }
    if number < 1000.0 {
        return format!("{number:.0}");
    }
    let scale = 10f64.powi(number.log10().floor() as i32 - 1);
    grouped(((number / scale).round() * scale) as u64)
}
