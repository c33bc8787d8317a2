//! What is counted, what it costs, and what stops a turn that uses too much.

use selvedge_session::{Budget, Options, Price, Settings, Status, Usage};

use crate::play::{Play, child_place, item, place};

fn tokens(input: u64, output: u64) -> Usage {
    Usage { input, output, total: input + output, ..Usage::default() }
}

fn priced() -> Options {
    let price = Price { input: 1.0, cached_input: 0.1, cache_write_input: 1.25, output: 10.0 };
    Options { price: Some(price), ..Options::default() }
}

fn running_priced(budget: Option<Budget>) -> Play {
    let mut play = Play::new(Settings { budget, ..Settings::default() });
    play.send_with(1, priced());
    play.thread_ready();
    play.turn_starts("t1");
    play.effects();
    play
}

#[test]
fn a_message_costs_what_its_tokens_cost_at_its_price() {
    let mut play = running_priced(None);
    play.used_with(place("t1"), tokens(1_000_000, 100_000), tokens(1_000_000, 100_000));
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.finished()[0].cost_usd, Some(2.0));
    play.send(2);
    play.turn_starts("t2");
    play.used_with(place("t2"), tokens(2_000_000, 100_000), tokens(1_000_000, 0));
    play.turn_ends("t2", Status::Completed);
    assert_eq!(play.finished()[0].cost_usd, None, "no price, no cost");
    assert_eq!(play.session().cost_usd(), Some(2.0));
    play.send_with(3, priced());
    play.turn_starts("t3");
    play.used_with(place("t3"), tokens(2_500_000, 100_000), tokens(500_000, 0));
    play.turn_ends("t3", Status::Completed);
    assert_eq!(play.finished()[0].cost_usd, Some(0.5));
    assert_eq!(play.session().cost_usd(), Some(2.5));
    play.restarted();
}

#[test]
fn a_budget_in_money_stops_the_turn_at_the_report_that_exceeds_it() {
    let budget = Some(Budget { max_cost_usd: Some(1.0), ..Budget::default() });
    let mut play = running_priced(budget);
    play.used_with(place("t1"), tokens(1_000_000, 0), tokens(1_000_000, 0));
    assert_eq!(play.effects(), Vec::<String>::new(), "all of it may be used");
    play.used_with(place("t1"), tokens(1_000_001, 0), tokens(1, 0));
    assert_eq!(play.effects(), ["Interrupt t1"]);
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.ends(), ["1 failed:  (budget_exceeded)"]);
}

#[test]
fn input_and_output_have_limits_of_their_own_and_a_message_its_own_budget() {
    let limits = [
        Budget { max_input_tokens: Some(10), ..Budget::default() },
        Budget { max_output_tokens: Some(20), ..Budget::default() },
        Budget { max_total_tokens: Some(30), ..Budget::default() },
    ];
    for budget in limits {
        let mut play = Play::new(Settings { budget: Some(Budget::default()), ..Settings::default() });
        play.send_with(1, Options { budget: Some(budget), ..Options::default() });
        play.thread_ready();
        play.turn_starts("t1");
        play.effects();
        play.used_with(place("t1"), tokens(10, 20), tokens(10, 20));
        assert_eq!(play.effects(), Vec::<String>::new());
        play.used_with(place("t1"), tokens(11, 21), tokens(1, 1));
        assert_eq!(play.effects(), ["Interrupt t1"], "{budget:?}");
    }
}

#[test]
fn a_budget_is_of_each_message_and_not_of_the_session() {
    let budget = Some(Budget { max_total_tokens: Some(100), ..Budget::default() });
    let mut play = Play::running_with("t1", Settings { budget, ..Settings::default() });
    play.used("t1", 90);
    play.turn_ends("t1", Status::Completed);
    play.send(2);
    play.turn_starts("t2");
    play.effects();
    play.used("t2", 180);
    assert_eq!(play.effects(), Vec::<String>::new());
}

#[test]
fn of_a_thread_with_a_past_only_the_response_in_our_turn_is_ours() {
    let adopted = || Settings { thread_id: Some("thread".into()), ..Settings::default() };
    let mut play = Play::running_with("t1", adopted());
    play.item_completes("t1", item("r", "reasoning"));
    play.used_with(place("t1"), tokens(5_000, 0), tokens(40, 0));
    assert_eq!(play.session().usage().total, 40, "the first report came in our turn");
    play.used_with(place("t1"), tokens(5_010, 0), tokens(10, 0));
    assert_eq!(play.session().usage().total, 50);

    let mut play = Play::running_with("t1", adopted());
    play.item_completes("t1", item("u", "userMessage"));
    play.used_with(place("t1"), tokens(5_000, 0), tokens(40, 0));
    assert_eq!(play.session().usage().total, 0, "older versions repeat it before anything is said");

    let mut play = Play::running_with("t1", adopted());
    play.used_with(place("an old turn"), tokens(5_000, 0), tokens(40, 0));
    assert_eq!(play.session().usage().total, 0, "told when the thread was loaded: where we begin");
    play.used_with(place("t1"), tokens(5_000, 0), tokens(40, 0));
    assert_eq!(play.session().usage().total, 0, "repeated in the next turn: not counted");
    play.used_with(place("t1"), tokens(5_025, 0), tokens(25, 0));
    assert_eq!(play.session().usage().total, 25);
}

#[test]
fn a_total_that_fell_is_a_new_beginning() {
    let mut play = Play::running("t1");
    play.used_with(place("t1"), tokens(100, 0), tokens(100, 0));
    play.used_with(place("an old turn"), tokens(60, 0), tokens(60, 0));
    assert_eq!(play.session().usage().total, 100, "a thread taken back: nothing was used");
    play.used_with(place("t1"), tokens(80, 0), tokens(20, 0));
    assert_eq!(play.session().usage().total, 120, "it grows from there");
}

#[test]
fn what_sub_agents_use_counts_to_the_message() {
    let mut play = running_priced(Some(Budget { max_total_tokens: Some(100), ..Budget::default() }));
    play.used_with(place("t1"), tokens(50, 0), tokens(50, 0));
    play.used_with(child_place("c1"), tokens(40, 0), tokens(40, 0));
    play.used_with(child_place("c1"), tokens(45, 0), tokens(5, 0));
    assert_eq!(play.session().usage().total, 95);
    assert_eq!(play.session().context_used_percent(), Some(5), "the context is the session's own");
    play.used_with(child_place("c1"), tokens(60, 0), tokens(15, 0));
    assert_eq!(play.effects(), ["Interrupt t1"]);
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.finished()[0].usage.total, 110);
}
