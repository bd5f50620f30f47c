//! What is printed can be read back.

use raveler_judge::program::TestProgram;
use raveler_judge::random::{Profile, program};
use raveler_judge::shrink::shrink;
use raveler_judge::{print, text};

#[test]
fn every_random_program_survives_printing_and_parsing() {
    for profile in Profile::ALL {
        for seed in 0..200 {
            let program = program(profile, seed);
            assert_eq!(program.check(), Ok(()));
            let printed = text::print(&program);
            assert_eq!(text::parse(&printed), Ok(program), "{printed}");
        }
    }
}

#[test]
fn mistakes_are_named_with_their_line() {
    let broken = text::parse("locations x=0\nthread 0\n  r0 = load q acquire\n");
    assert_eq!(broken, Err("line 3: `q` is no location:   r0 = load q acquire".to_string()));
    assert!(text::parse("locations x=0\nthread 0\n  join 1\nthread 1\n").is_err());
}

#[test]
fn herd_gets_a_litmus_test() {
    let source = "locations x=0\nthread 0\n  store x 1 release\nthread 1\n  r0 = cas x 1 2 acq_rel relaxed\n";
    let litmus = print::litmus(&text::parse(source).expect("well formed"), "one");
    assert_eq!(
        litmus,
        "C one\n{ [e0]=1; [x]=0; }\n\nP0 (atomic_int* x) {\n  atomic_store_explicit(x, 1, memory_order_release);\n}\n\n\
         P1 (int* e0, atomic_int* x) {\n  int r0 = 0;\n  r0 = atomic_compare_exchange_strong_explicit(x, e0, 2, \
         memory_order_acq_rel, memory_order_relaxed);\n}\n\nlocations [1:r0; e0; x;]\nexists (true)\n"
    );
}

#[test]
fn the_shrinker_keeps_what_it_is_asked_to_keep() {
    let stores = |program: &TestProgram| text::print(program).matches("store").count();
    for seed in 0..20 {
        let program = program(Profile::Everything, seed);
        let wanted = stores(&program).min(2);
        let small = shrink(&program, &mut |candidate| stores(candidate) >= wanted);
        assert_eq!(stores(&small), wanted);
        assert_eq!(small.size(), wanted, "{}", text::print(&small));
        assert_eq!(small.check(), Ok(()));
    }
}
