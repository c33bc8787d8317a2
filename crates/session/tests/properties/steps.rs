//! Everything that can happen to a session, drawn at random.

use proptest::prelude::*;
use selvedge_session::{
    Budget, BusyPolicy, OnLost, PermissionMode, Settings, Status, Unattended,
    data::{ApprovalKind, Decision},
};

/// One thing that happens. Small numbers, so that they meet.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Send(BusyPolicy, bool),
    TakeBack(u8),
    Edit(u8, u8),
    Interrupt(bool),
    Stop,
    Start,
    Compact,
    Review,
    Rename(u8),
    Archive(bool),
    Named(u8, bool),
    PutAway(bool),
    Answer(u8, Decision, bool),
    AnswerTool(u8),
    ThreadReady(bool),
    ThreadFailed,
    Accepted(u8),
    Refused,
    StartUnanswered,
    Told(u8, bool),
    Steered(u8, bool),
    SteerUnanswered(u8),
    TurnStarted(bool, u8),
    TurnEnded(bool, u8, Status),
    ItemStarted(bool, u8, u8, bool),
    ItemCompleted(bool, u8, u8, bool),
    Delta(u8, u8),
    Usage(bool, u8, u16),
    Asked(bool, u8, ApprovalKind),
    UserMessage(u8, u8),
    ToolCalled(u8),
    Withdrawn(u8),
    Trouble(u8, bool),
    Idle,
    InterruptAnswered(bool),
    Verdict(u8),
    ProcessGone,
    ProcessBack,
    GaveUp,
    Warning,
    Wait(u32),
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let small = 0_u8..4;
    let status = prop_oneof![Just(Status::Completed), Just(Status::Failed), Just(Status::Interrupted)];
    let policy = prop_oneof![
        4 => Just(BusyPolicy::Queue),
        2 => Just(BusyPolicy::Steer),
        1 => Just(BusyPolicy::Interrupt),
        1 => Just(BusyPolicy::Reject)
    ];
    let decision = prop_oneof![
        Just(Decision::Accept),
        Just(Decision::AcceptForSession),
        Just(Decision::Decline),
        Just(Decision::Cancel)
    ];
    let kind = prop_oneof![
        3 => Just(ApprovalKind::Command),
        1 => Just(ApprovalKind::FileChange),
        1 => Just(ApprovalKind::Permissions),
        1 => Just(ApprovalKind::UserInput),
        1 => Just(ApprovalKind::Elicitation)
    ];
    let talk = prop_oneof![
        (policy, any::<bool>()).prop_map(|(policy, own)| Step::Send(policy, own)),
        small.clone().prop_map(Step::TakeBack),
        (small.clone(), small.clone()).prop_map(|(n, position)| Step::Edit(n, position)),
        prop::bool::weighted(0.2).prop_map(Step::Interrupt),
        (small.clone(), decision, any::<bool>())
            .prop_map(|(n, decision, says)| Step::Answer(n, decision, says)),
        Just(Step::Compact),
        Just(Step::Review),
        small.clone().prop_map(Step::Rename),
        small.clone().prop_map(Step::AnswerTool),
    ];
    let turns = prop_oneof![
        3 => any::<bool>().prop_map(Step::ThreadReady),
        1 => Just(Step::ThreadFailed),
        1 => Just(Step::StartUnanswered),
        1 => (small.clone(), any::<bool>()).prop_map(|(turn, reached)| Step::Told(turn, reached)),
        2 => small.clone().prop_map(Step::Accepted),
        1 => Just(Step::Refused),
        1 => (small.clone(), any::<bool>()).prop_map(|(n, joined)| Step::Steered(n, joined)),
        1 => small.clone().prop_map(Step::SteerUnanswered),
        4 => (any::<bool>(), small.clone()).prop_map(|(own, turn)| Step::TurnStarted(own, turn)),
        3 => (any::<bool>(), small.clone(), status).prop_map(|(own, turn, status)| Step::TurnEnded(own, turn, status)),
        1 => any::<bool>().prop_map(Step::InterruptAnswered),
        1 => Just(Step::Idle),
        1 => (small.clone(), any::<bool>()).prop_map(|(turn, retry)| Step::Trouble(turn, retry)),
    ];
    let work = prop_oneof![
        (any::<bool>(), small.clone(), small.clone(), any::<bool>())
            .prop_map(|(o, t, i, m)| Step::ItemStarted(o, t, i, m)),
        (any::<bool>(), small.clone(), small.clone(), any::<bool>())
            .prop_map(|(o, t, i, m)| Step::ItemCompleted(o, t, i, m)),
        (small.clone(), small.clone()).prop_map(|(turn, item)| Step::Delta(turn, item)),
        (any::<bool>(), small.clone(), any::<u16>())
            .prop_map(|(own, turn, added)| Step::Usage(own, turn, added)),
        (any::<bool>(), small.clone(), kind).prop_map(|(own, turn, kind)| Step::Asked(own, turn, kind)),
        (small.clone(), small.clone()).prop_map(|(turn, n)| Step::UserMessage(turn, n)),
        small.clone().prop_map(Step::ToolCalled),
        small.prop_map(Step::Withdrawn),
    ];
    let breaks = prop_oneof![
        2 => Just(Step::ProcessGone),
        1 => Just(Step::ProcessBack),
        1 => Just(Step::Warning),
        1 => any::<bool>().prop_map(Step::Archive),
        1 => any::<bool>().prop_map(Step::PutAway),
        1 => (0_u8..4, any::<bool>()).prop_map(|(n, told)| Step::Named(n, told)),
        3 => (0_u8..8).prop_map(Step::Verdict),
        1 => Just(Step::GaveUp),
        1 => Just(Step::Stop),
        2 => Just(Step::Start),
        2 => (1_u32..700_000).prop_map(Step::Wait),
    ];
    let step = prop_oneof![4 => talk, 6 => turns, 6 => work, 2 => breaks];
    prop::collection::vec(step, 1..120)
}

pub(crate) fn settings() -> impl Strategy<Value = Settings> {
    let modes = prop_oneof![
        2 => Just(None),
        1 => Just(Some(PermissionMode::AcceptEdits)),
        1 => Just(Some(PermissionMode::BypassPermissions))
    ];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.2), any::<bool>());
    (flags, modes).prop_map(|((decline, go_on, limited, ephemeral, adopted), permission_mode)| Settings {
        permission_mode,
        thread_id: adopted.then(|| "own".into()),
        unattended: if decline { Unattended::Decline } else { Unattended::Wait },
        on_lost: if go_on { OnLost::Continue } else { OnLost::Hold },
        budget: limited.then(|| Budget { max_total_tokens: Some(50_000), ..Budget::default() }),
        deadline_seconds: limited.then_some(60),
        approval_timeout_seconds: limited.then_some(20),
        stall_seconds: limited.then_some(200),
        ephemeral,
        ..Settings::default()
    })
}
