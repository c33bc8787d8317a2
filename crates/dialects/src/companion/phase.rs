//! What a browser shows a session to be doing: eight phases, and the moves between them that upstream allows.

use serde::Serialize;

use selvedge_session::Lifecycle;

/// What a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It was made.
    #[default]
    Starting,
    /// Its thread is being made.
    Initializing,
    /// Nothing.
    Ready,
    /// A turn runs.
    Streaming,
    /// A turn waits for an answer.
    AwaitingPermission,
    /// Its history is made shorter.
    Compacting,
    /// What became of a turn is being found out.
    Reconnecting,
    /// It takes nothing until somebody says go.
    Terminated,
}

use Phase::{
    AwaitingPermission, Compacting, Initializing, Ready, Reconnecting, Starting, Streaming, Terminated,
};

const ALL: [Phase; 8] =
    [Starting, Initializing, Ready, Streaming, AwaitingPermission, Compacting, Reconnecting, Terminated];

impl Phase {
    /// The phase of a session that does this; while its history is made shorter, it does that.
    pub(super) fn of(lifecycle: Lifecycle, compacting: bool) -> Self {
        match lifecycle {
            Lifecycle::Starting => Initializing,
            Lifecycle::Idle => Ready,
            Lifecycle::Running if compacting => Compacting,
            Lifecycle::Running => Streaming,
            Lifecycle::Waiting => AwaitingPermission,
            Lifecycle::Recovering => Reconnecting,
            Lifecycle::Stopped | Lifecycle::Failed => Terminated,
        }
    }

    /// Where it may go from here, the likelier first.
    fn next(self) -> &'static [Self] {
        match self {
            Starting => &[Initializing, Streaming, Reconnecting, Terminated],
            Initializing => &[Ready, Streaming, Reconnecting, Terminated],
            Ready => &[Streaming, Compacting, Reconnecting, Terminated],
            Streaming => &[Ready, Initializing, AwaitingPermission, Compacting, Reconnecting, Terminated],
            AwaitingPermission => &[Streaming, Ready, Reconnecting, Terminated],
            Compacting => &[Ready, Streaming, Reconnecting, Terminated],
            Reconnecting => &[Initializing, Starting, Ready, Streaming, Terminated],
            Terminated => &[Starting],
        }
    }

    /// The phases on the shortest way to another one, that one included.
    pub(super) fn way(self, to: Self) -> Vec<Self> {
        let mut ways = vec![vec![self]];
        // Every phase can be reached within as many moves as there are phases.
        for _ in ALL {
            if let Some(way) = ways.iter().find(|way| way.last() == Some(&to)) {
                return way.iter().copied().skip(1).collect();
            }
            let longer = |way: &Vec<Self>| {
                let next = way.last().map_or(&[][..], |last| last.next());
                next.iter().map(|next| [way.as_slice(), &[*next]].concat()).collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(longer).collect();
        }
        vec![to]
    }

    /// Whether a turn is under way.
    pub(super) fn is_busy(self) -> bool {
        matches!(self, Streaming | AwaitingPermission | Compacting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_consists_of_moves_that_upstream_allows() {
        for (from, to) in ALL.into_iter().flat_map(|from| ALL.map(|to| (from, to))) {
            let way = from.way(to);
            let mut here = from;
            for next in &way {
                assert!(here.next().contains(next), "{from:?} to {to:?}: {here:?} to {next:?}");
                here = *next;
            }
            assert_eq!(here, to);
            assert!(way.len() < 4, "{from:?} to {to:?}: {way:?}");
        }
        assert_eq!(Ready.way(AwaitingPermission), [Streaming, AwaitingPermission]);
        assert_eq!(Terminated.way(Ready), [Starting, Initializing, Ready]);
        assert_eq!(Ready.way(Ready), []);
    }
}
