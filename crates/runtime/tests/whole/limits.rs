//! Limits: budgets, deadlines, queue times and silence end a message as they say, and nothing else does.

use std::time::Duration;

use selvedge_runtime::{
    Answer, Clock, Message, MessageState,
    session::{
        Budget, Code, Options, Phase, Price, Timestamp,
        data::{Decision, DeltaKind, Finished},
    },
};

use crate::{
    setup::{Setup, on_both},
    stage::say,
    watch::Watch,
};

on_both!(
    more_tokens_than_allowed_end_the_turn,
    cost_is_counted_and_limited_by_price,
    a_model_that_nobody_chose_has_its_price_too,
    a_limit_in_money_ends_a_message_whose_model_turns_out_to_have_no_price,
    a_limit_in_money_needs_a_price,
    a_turn_ends_at_its_deadline,
    waiting_for_a_person_is_not_counted,
    waiting_in_the_queue_is_limited,
    silence_is_limited_if_it_is_said_so,
    input_that_is_too_long_is_refused,
);

/// A response that uses a lot, then one that takes long. Codex reports what was used when the command has ended.
const COSTLY: &str = r#"
[[rule]]
contains = "[costly]"
step = [
  { do = [ { usage = { input = 1000, cached = 400, output = 50 } }, { run = { command = "true" } } ] },
  { do = [ { say = { text = "tick ", repeat = 200, pace_ms = 100 } } ] },
]
"#;

/// A model whose price everybody knows: USD per million tokens.
fn priced(config: &mut selvedge_runtime::Config) {
    let price = Price { input: 10.0, cached_input: 1.0, cache_write_input: 12.5, output: 100.0 };
    config.prices.insert("gpt-5.5".into(), price);
    config.model = Some("gpt-5.5".into());
}

fn failed(end: &Finished) -> (MessageState, Phase, &str) {
    let error = end.error.as_ref().expect("an error");
    (end.status.into(), error.phase, error.code.as_str())
}

async fn more_tokens_than_allowed_end_the_turn(setup: Setup) {
    let stage = setup.rules(COSTLY).open().await;
    let session = stage.unsandboxed().await;
    let mut watch = Watch::of(&session).await;
    let budget = Budget { max_total_tokens: Some(1000), ..Budget::default() };
    let sent = session.send(Message::text("[costly]").budget(budget)).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(failed(&end), (MessageState::Failed, Phase::Budget, "budget_exceeded"));
    assert_eq!(end.usage.total, 1050, "overshoot is one response");
    let budget = Budget { max_total_tokens: Some(1000), ..Budget::default() };
    let sent = session.send(Message::text("[stream]").budget(budget)).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(
        (MessageState::from(end.status), end.error),
        (MessageState::Completed, None),
        "each message has its own"
    );
    stage.close().await;
}

async fn cost_is_counted_and_limited_by_price(setup: Setup) {
    let stage = setup.rules(COSTLY).config(priced).open().await;
    let session = stage.unsandboxed().await;
    let mut watch = Watch::of(&session).await;
    let view = say(&session, "[stream]").await;
    // 60 input, 40 cached, 20 output.
    let cost = (60.0 * 10.0 + 40.0 * 1.0 + 20.0 * 100.0) / 1e6;
    assert!((view.cost_usd.unwrap() - cost).abs() < 1e-9, "{view:?}");
    let budget = Budget { max_cost_usd: Some(0.01), ..Budget::default() };
    let sent = session.send(Message::text("[costly]").budget(budget)).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(failed(&end), (MessageState::Failed, Phase::Budget, "budget_exceeded"));
    let more = (600.0 * 10.0 + 400.0 * 1.0 + 50.0 * 100.0) / 1e6;
    assert!((end.cost_usd.unwrap() - more).abs() < 1e-9, "{end:?}");
    let all = session.summary().await.unwrap().cost_usd.unwrap();
    assert!((all - cost - more).abs() < 1e-9);
    stage.close().await;
}

async fn a_model_that_nobody_chose_has_its_price_too(setup: Setup) {
    let price = Price { input: 10.0, ..Price::default() };
    // What Codex is configured for, and what the stand-in has.
    let known = |config: &mut selvedge_runtime::Config| {
        config.prices.extend(["gpt-5.5", "rehearsal"].map(|model| (model.to_owned(), price)));
    };
    let stage = setup.config(known).open().await;
    let session = stage.session().await;
    let dollar = || Message::text("[stream]").budget(Budget { max_cost_usd: Some(1.0), ..Budget::default() });
    for _turn in ["which makes the thread", "of the thread that is there"] {
        let sent = session.send(dollar()).await.unwrap();
        let view = session.finished(sent.message_id).await.unwrap();
        // 60 of input that was not cached.
        assert!((view.cost_usd.unwrap() - 60.0 * 10.0 / 1e6).abs() < 1e-9, "{view:?}");
    }
    let model = session.summary().await.unwrap().model.unwrap();
    assert!(["gpt-5.5", "rehearsal"].contains(&model.as_str()), "{model}");
    stage.close().await;
}

async fn a_limit_in_money_ends_a_message_whose_model_turns_out_to_have_no_price(setup: Setup) {
    let known = |config: &mut selvedge_runtime::Config| {
        config.prices.insert("another".to_owned(), Price::default());
    };
    let stage = setup.config(known).open().await;
    let session = stage.session().await;
    let budget = Budget { max_cost_usd: Some(1.0), ..Budget::default() };
    let sent = session.send(Message::text("[stream]").budget(budget)).await.unwrap();
    let view = session.finished(sent.message_id).await.unwrap();
    assert_eq!(view.error.unwrap().code, Code::PriceUnknown.as_str());
    let refused = session.send(Message::text("[stream]").budget(budget)).await.unwrap_err();
    assert_eq!(refused.code, Code::PriceUnknown, "now it is known at once");
    stage.close().await;
}

async fn a_limit_in_money_needs_a_price(setup: Setup) {
    let stage = setup.open().await;
    let budget = Budget { max_cost_usd: Some(1.0), ..Budget::default() };
    let session = stage.session().await;
    let refused = session.send(Message::text("[stream]").budget(budget)).await.unwrap_err();
    assert_eq!(refused.code, Code::PriceUnknown);
    let mut new = stage.new_session();
    new.settings.budget = Some(budget);
    let refused = match stage.runtime.create(new).await {
        Ok(session) => session.send(Message::text("[stream]")).await.map(drop),
        Err(refused) => Err(refused),
    };
    assert_eq!(refused.unwrap_err().code, Code::PriceUnknown, "also of a session's own limit");
    stage.close().await;
}

async fn a_turn_ends_at_its_deadline(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_000_000));
    let stage = setup.clock(&clock).open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[slow]").deadline_seconds(10)).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    clock.turn(Duration::from_secs(10));
    let end = watch.finished(sent.message_id).await;
    assert_eq!(failed(&end), (MessageState::Failed, Phase::Request, "deadline_exceeded"));
    assert!(end.text.starts_with("tick"), "what was said is kept");
    stage.close().await;
}

async fn waiting_for_a_person_is_not_counted(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_000_000));
    let stage = setup.clock(&clock).open().await;
    let session = stage.session_with(|settings| settings.deadline_seconds = Some(10)).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[approve]")).await.unwrap();
    let approval = watch.approval().await;
    clock.turn(Duration::from_secs(3600));
    session.answer(approval.approval_id, Answer::new(Decision::Accept, "ann")).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!((end.text.as_str(), end.error), ("The command was decided.", None));
    stage.close().await;
}

async fn waiting_in_the_queue_is_limited(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_000_000));
    let stage = setup.clock(&clock).open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let running = session.send(Message::text("[slow]")).await.unwrap();
    let options = Options { queue_seconds: Some(5), ..Options::default() };
    let waiting = session.send(Message { options, ..Message::text("[stream]") }).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    clock.turn(Duration::from_secs(5));
    let end = watch.finished(waiting.message_id).await;
    assert_eq!(failed(&end), (MessageState::Failed, Phase::Request, "queue_time_exceeded"));
    assert_eq!(session.message(running.message_id).await.unwrap().state, MessageState::Running);
    session.stop().await.unwrap();
    stage.close().await;
}

async fn silence_is_limited_if_it_is_said_so(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_000_000));
    let stage = setup.clock(&clock).open().await;
    let session = stage.session_with(|settings| settings.stall_seconds = Some(30)).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[hang]")).await.unwrap();
    // The last that is told before the silence.
    watch.until(|event| (event.what.name() == "item.completed").then_some(())).await;
    clock.turn(Duration::from_secs(31));
    let end = watch.finished(sent.message_id).await;
    assert_eq!(failed(&end), (MessageState::Failed, Phase::Request, "stalled"));
    stage.close().await;
}

async fn input_that_is_too_long_is_refused(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    // Counted in characters, not in bytes.
    let refused = session.send(Message::text("ü".repeat(1_048_577))).await.unwrap_err();
    assert_eq!(refused.code, Code::InputTooLong);
    let refused = session.send(Message::default()).await.unwrap_err();
    assert_eq!(refused.code, Code::InvalidArgument, "and what says nothing");
    let longest = format!("[stream]{}", "ü".repeat(1_048_568));
    assert_eq!(say(&session, &longest).await.state, MessageState::Completed);
    stage.close().await;
}
