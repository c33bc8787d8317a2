//! What holds for every template, every answer and every order of transactions.

use proptest::collection::vec;
use proptest::prelude::*;
use schemars::JsonSchema;
use selvedge_agent::{Prompt, Section, Session, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::sessions::{Count, Plan, plan};
use crate::support::ada;

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Answer {
    name: String,
    count: Option<i32>,
    #[serde(default)]
    flag: bool,
    inner: Vec<Answer>,
}

fn answers() -> impl Strategy<Value = Answer> {
    let leaf = (".*", any::<Option<i32>>(), any::<bool>());
    let leaf = leaf.prop_map(|(name, count, flag)| Answer { name, count, flag, inner: Vec::new() });
    leaf.prop_recursive(3, 12, 3, |inner| {
        (".*", any::<Option<i32>>(), any::<bool>(), vec(inner, 0..3))
            .prop_map(|(name, count, flag, inner)| Answer { name, count, flag, inner })
    })
}

proptest! {
    #[test]
    fn a_template_is_refused_or_rendered(template in "[ \t\na-z$@{}who]{0,40}") {
        let section = Section::markdown("T", "t", template.clone()).params(ada());
        let built = Prompt::text("a", "b").section(section).build();
        if let Ok(prompt) = built {
            let rendered = prompt.render(&Session::new()).unwrap();
            prop_assert!(rendered.text().starts_with("## 1. T (t)"));
            prop_assert_eq!(rendered.text(), rendered.text().trim_end());
        } else {
            prop_assert!(template.contains('$'));
        }
    }

    #[test]
    fn text_without_a_dollar_is_never_changed_but_for_its_margins(words in "[a-z@{}]{1,10}( [a-z]{1,5}){0,3}") {
        let section = Section::markdown("T", "t", format!("\n    {words}\n      {words}\n  "));
        let prompt = Prompt::text("a", "b").section(section).build().unwrap();
        let rendered = prompt.render(&Session::new()).unwrap();
        prop_assert_eq!(rendered.text(), format!("## 1. T (t)\n\n{words}\n  {words}"));
    }

    #[test]
    fn what_was_written_is_read_whatever_stands_around_it(answer in answers(), before in "[^\\{\\[`]*", after in ".*") {
        let prompt = Prompt::<Answer>::builder("a", "b").build().unwrap();
        let written = serde_json::to_string(&answer).unwrap();
        let alone = prompt.parse(&written);
        prop_assert_eq!(alone.as_ref(), Ok(&answer));
        let fenced = after.to_ascii_lowercase().contains("```json");
        prop_assume!(!fenced && !written.to_ascii_lowercase().contains("```json"));
        let parsed = prompt.parse(&format!("{before}{written}{after}"));
        prop_assert_eq!(parsed.as_ref(), Ok(&answer));
    }

    #[test]
    fn any_answer_at_all_is_read_or_refused(answer in ".*|[\\{\\}\\[\\]\":,a-z`\n]{0,30}") {
        let prompt = Prompt::<Vec<Answer>>::builder("a", "b").build().unwrap();
        if let Err(error) = prompt.parse(&answer) {
            prop_assert!(!error.why.is_empty());
        }
    }

    /// Each transaction adds one; some are committed, in any order. What is there is what was committed, in that order.
    #[test]
    fn only_what_was_committed_is_there(fates in vec(any::<bool>(), 0..12), order in any::<prop::sample::Index>()) {
        let session = Session::new();
        let mut open: Vec<(usize, bool, Transaction)> = Vec::new();
        for (number, kept) in fates.iter().enumerate() {
            let transaction = session.transaction();
            transaction.session().append(plan("it", number as u32));
            transaction.session().update(|it: &mut Count| it.0 += 1);
            open.push((number, *kept, transaction));
        }
        let mut expected = Vec::new();
        while !open.is_empty() {
            let (number, kept, transaction) = open.remove(order.index(open.len()));
            if kept {
                transaction.commit();
                expected.push(number as u32);
            }
        }
        let there: Vec<u32> = session.all::<Plan>().iter().map(|it| it.step).collect();
        let count = session.latest::<Count>().unwrap_or_default();
        prop_assert_eq!(count, Count(expected.len() as u32));
        prop_assert_eq!(there, expected);
    }

    #[test]
    fn arguments_are_read_or_refused(arguments in ".*") {
        let tool = crate::support::add("add").example("any", json!(arguments), "x");
        // An example is read as a call's arguments are; whatever it is, it does not panic.
        let _ = Prompt::text("a", "b").section(Section::markdown("T", "t", "x").tool(tool)).build();
    }
}
