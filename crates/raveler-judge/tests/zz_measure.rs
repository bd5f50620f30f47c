use raveler_core::Model;
use raveler_judge::brute::{Limits, judge};
use raveler_judge::random::{Profile, program};
#[test]
fn measure() {
    for profile in [Profile::ScOrder, Profile::SeqCst, Profile::Fences, Profile::Mixed] {
        let (mut programs, mut differing, mut lost, mut skipped) = (0, 0, 0, 0);
        for seed in 1..=1500 {
            let Ok(judged) = judge(&program(profile, seed), Limits::default()) else {
                skipped += 1;
                continue;
            };
            programs += 1;
            let n = judged
                .found
                .iter()
                .flat_map(|f| &f.orders)
                .filter(|(_, m)| m.has(Model::Rc11) && !m.has(Model::Rc20))
                .count();
            lost += n;
            differing += usize::from(n > 0);
        }
        println!(
            "{}: programs {programs} differing {differing} orders {lost} skipped {skipped}",
            profile.name()
        );
    }
}
