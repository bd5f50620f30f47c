//! The command `raveler-judge programs`.

use std::process::ExitCode;
use std::time::Duration;

use raveler_core::Model;

use super::compare::Question;
use super::random::Profile;
use super::{Campaign, Language, describe, print};

/// The campaign that is run if nothing is said.
pub fn default() -> Campaign {
    Campaign {
        profiles: Profile::ALL.to_vec(),
        programs: 320,
        seed: 1,
        threads: 1,
        language: Language::C,
        all: false,
        question: Question {
            models: Model::CAUSAL.to_vec(),
            states: 40_000,
            time: Duration::from_secs(5),
            ways: 2,
            turn: 0,
            itself: false,
        },
    }
}

/// `raveler-judge agree-reductions`: with what is left out and without, on programs that have something to leave out.
pub fn reductions() -> Campaign {
    let campaign = default();
    Campaign {
        profiles: Profile::REDUCED.to_vec(),
        question: Question { itself: true, time: Duration::from_secs(10), ..campaign.question },
        ..campaign
    }
}

/// Runs it, with what is said instead of the default.
pub fn run(campaign: Campaign, arguments: impl Iterator<Item = String>) -> Result<ExitCode, String> {
    let (campaign, show) = parse(campaign, arguments)?;
    if show {
        for number in 0..campaign.programs {
            let (profile, seed) = campaign.source(number);
            println!("// {} {seed}\n{}", profile.name(), print::text(&campaign.program(profile, seed)));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let summary = campaign.run();
    println!("{}", summary.line());
    if !campaign.all {
        for (source, program, difference) in &summary.differences {
            println!("== {source}\n{}", describe(program, difference));
        }
    }
    Ok(if summary.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn parse(
    mut campaign: Campaign,
    mut arguments: impl Iterator<Item = String>,
) -> Result<(Campaign, bool), String> {
    let mut show = false;
    while let Some(name) = arguments.next() {
        match name.as_str() {
            "--all" => {
                campaign.all = true;
                continue;
            }
            "--show" => {
                show = true;
                continue;
            }
            _ => {}
        }
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("`{value}` is no number"));
        match name.as_str() {
            "--model" if value == "all" => {}
            "--model" => {
                let model = |name: &str| {
                    let model = Model::CAUSAL.into_iter().find(|model| model.name() == name);
                    model.ok_or_else(|| format!("no model `{name}`"))
                };
                campaign.question.models = value.split(',').map(model).collect::<Result<_, _>>()?;
            }
            "--profile" if value == "all" => {}
            "--profile" => {
                let find = |name: &str| {
                    let profile = Profile::ALL.into_iter().find(|profile| profile.name() == name);
                    profile.ok_or_else(|| format!("no profile `{name}`"))
                };
                campaign.profiles = value.split(',').map(find).collect::<Result<_, _>>()?;
            }
            "--language" => {
                campaign.language = match value.as_str() {
                    "c" => Language::C,
                    "c++" => Language::Cpp,
                    _ => return Err(format!("no language `{value}`")),
                }
            }
            "--programs" => campaign.programs = number()?,
            "--seed" => campaign.seed = number()?,
            "--threads" => campaign.threads = number()? as usize,
            "--states" => campaign.question.states = number()? as usize,
            "--ways" => campaign.question.ways = number()? as usize,
            "--time" => campaign.question.time = Duration::from_secs(number()?),
            _ => return Err(format!("no option `{name}`")),
        }
    }
    Ok((campaign, show))
}
