//! Store buffers of bounded size, as a user asks for them.

mod command;

use command::{SB, file, json, raveler};

#[test]
fn a_bound_that_was_met_is_inconclusive_and_says_what_to_do() {
    let sb = file("sb.litmus", SB);
    let checked = |model, bound| raveler(&["check", sb.path(), "--model", model, "--buffer-bound", bound]);
    for model in ["tso", "pso"] {
        let ran = checked(model, "0");
        assert_eq!(ran.code, 3, "{ran:?}");
        let first = "inconclusive: some store buffer could hold more than 0 stores (--buffer-bound 0)";
        assert!(ran.stdout.starts_with(first), "{}", ran.stdout);
        assert!(ran.stdout.contains("help: a larger --buffer-bound"), "{}", ran.stdout);
        let enough = checked(model, "1");
        assert!(enough.stdout.contains("4 executions"), "{}", enough.stdout);
        assert_ne!(enough.code, 3);
    }
    let (with, without) = (checked("sc", "0"), raveler(&["check", sb.path(), "--model", "sc"]));
    assert_eq!(with.code, without.code);
}

#[test]
fn the_result_names_the_bound() {
    let sb = file("sb.litmus", SB);
    let answer = json(&raveler(&["check", sb.path(), "--model", "tso", "--buffer-bound", "0", "--json"]));
    assert_eq!(answer["bounds"]["buffer"], 0);
    assert_eq!((&answer["verdict"], &answer["executions"]), (&"inconclusive".into(), &3.into()));
    assert_eq!(answer["warnings"][0]["kind"], "incomplete");
}

#[test]
fn a_bound_needs_buffers() {
    let sb = file("sb.litmus", SB);
    for model in ["ra", "sra", "rc11", "rc20", "xmm"] {
        let options = format!("--model {model} --buffer-bound 1");
        let check = raveler(&["check", sb.path(), "--model", model, "--buffer-bound", "1"]);
        let estimate = raveler(&["estimate", sb.path(), "--model", model, "--buffer-bound", "1"]);
        let compare = raveler(&["compare", sb.path(), "--left", &options, "--right", ""]);
        for ran in [check, estimate, compare] {
            assert_eq!(ran.code, 2, "{ran:?}");
            assert!(ran.stderr.contains("`--buffer-bound` does not go together"), "{}", ran.stderr);
        }
    }
    assert_eq!(raveler(&["check", sb.path(), "--model", "tso", "--buffer-bound", "x"]).code, 2);
}
