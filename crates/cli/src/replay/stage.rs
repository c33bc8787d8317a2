//! The stage of a replay: sessions, and the deeds of the recorded client done again when the player has come to them.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use selvedge_rehearsal::recording::{Cue, Deed, Done, Script, Step};
use selvedge_runtime::{Error, Message, NewSession, Runtime, SessionHandle};
use selvedge_session::{BusyPolicy, Code, Json, SessionId};

use tokio::time::{Instant, sleep, sleep_until};

use super::{
    answers::Questions,
    conductor::{Conductor, Person},
    input,
    progress::Progress,
    settings,
    show::Show,
    watch::{Page, Watch},
};
use crate::failure::Failure;

/// So long a deed may take to be done again.
const PATIENCE: Duration = Duration::from_secs(30);
/// So long nothing is heard, and nothing more is expected.
const SILENCE: Duration = Duration::from_secs(15);

pub(super) struct Stage {
    script: Arc<Script>,
    runtime: Runtime,
    work: PathBuf,
    sessions: HashMap<String, SessionHandle>,
    /// Deeds whose time had come, by their place,
    done: HashSet<usize>,
    /// and those of them that are still to be done.
    late: VecDeque<usize>,
    questions: Questions,
    watch: Watch,
    progress: Progress,
    /// Sessions whose last turn was stopped.
    stopped: HashSet<SessionId>,
    played: bool,
}

impl Stage {
    pub(super) fn new(script: Arc<Script>, runtime: Runtime, work: PathBuf) -> Self {
        Self {
            script,
            runtime,
            work,
            sessions: HashMap::new(),
            done: HashSet::new(),
            late: VecDeque::new(),
            questions: Questions::default(),
            watch: Watch::new(),
            progress: Progress::default(),
            stopped: HashSet::new(),
            played: false,
        }
    }

    /// Plays it to its end.
    pub(super) async fn play(
        mut self,
        (mut conductor, mut person): (Conductor, Person),
        mut show: Option<Show>,
    ) -> Result<(), Failure> {
        // Nobody plays before somebody wants something of them: the first deed needs no cue.
        let first = self.script.deeds().next().map(|(place, _)| place);
        if let Some(first) = first {
            self.do_again(first).await?;
        }
        let (mut steps, mut awaited) = (false, None);
        while !(self.played && self.progress.is_at_rest(self.sessions.values()).await?) {
            tokio::select! {
                cue = conductor.next(), if !self.played => match cue.map_err(Failure::start)? {
                    Some(Cue::Deed(place)) => {
                        awaited = Some((place, Instant::now() + PATIENCE));
                        self.do_again(place).await?;
                    }
                    Some(Cue::Done(_)) => awaited = None,
                    Some(Cue::Word(place)) => {
                        steps = true;
                        self.announce(place, show.as_mut())?;
                    }
                    Some(Cue::Played) => self.end(show.as_mut()).await?,
                    None => return Err(gone()),
                },
                () = person.says_go(), if steps => {
                    steps = false;
                    conductor.go_on().await.map_err(Failure::start)?;
                }
                place = too_long(awaited) => return Err(self.not_again(place)),
                page = self.watch.next() => self.page(page, show.as_mut()).await?,
                () = sleep(SILENCE), if self.played => {
                    return tell(show.as_mut(), "everything was said, and not every turn has ended by it");
                }
            }
        }
        Ok(())
    }

    async fn do_again(&mut self, place: usize) -> Result<(), Failure> {
        let script = Arc::clone(&self.script);
        let Some(Step::Await(deed)) = script.steps.get(place) else { return Ok(()) };
        self.questions.want(match &deed.done {
            Done::Answered(answered) => Some(answered),
            _ => None,
        });
        if self.done.insert(place) {
            self.late.push_back(place);
            // A thread is opened by what is begun in it.
            let mut later = script.deeds().filter(|(later, _)| *later > place);
            let begins =
                later.find(|(_, other)| deed.opens() && other.begins() && other.thread == deed.thread);
            if let Some((place, _)) = begins.filter(|(place, _)| self.done.insert(*place)) {
                self.late.push_back(place);
            }
        }
        self.catch_up().await?;
        Ok(self.questions.answer(&self.runtime).await?)
    }

    /// Does what is to be done, in order. A session may not have heard yet that its turn has ended: then it is done when
    /// it has.
    async fn catch_up(&mut self) -> Result<(), Failure> {
        let script = Arc::clone(&self.script);
        while let Some(place) = self.late.front().copied() {
            if let Some(Step::Await(deed)) = script.steps.get(place) {
                match self.perform(deed).await {
                    Err(error) if error.code == Code::Busy => return Ok(()),
                    done => done.map_err(|error| failed(place, &error))?,
                }
            }
            self.late.pop_front();
        }
        Ok(())
    }

    async fn perform(&mut self, deed: &Deed) -> Result<(), Error> {
        if deed.opens() {
            return self.open(deed).await;
        }
        let Some(session) = self.sessions.get(&deed.thread).cloned() else { return Ok(()) };
        match &deed.done {
            Done::Turn { params, .. } => self.send(&session, input::message(params)).await,
            Done::Steered { params, .. } => {
                self.send(&session, input::message(params).when_busy(BusyPolicy::Steer)).await
            }
            Done::Interrupted => or_idle(session.interrupt(false).await),
            Done::Compacted => session.compact().await,
            Done::Reviewed { params, .. } => session.review(Json::from(params["target"].clone())).await,
            Done::Answered(_) | Done::Started { .. } | Done::Resumed { .. } => Ok(()),
        }
    }

    async fn send(&mut self, session: &SessionHandle, message: Message) -> Result<(), Error> {
        let sent = session.send(message).await?;
        self.progress.sent(sent.message_id);
        Ok(())
    }

    async fn open(&mut self, deed: &Deed) -> Result<(), Error> {
        let Some(settings) = settings::of(deed, &self.work) else { return Ok(()) };
        let session = self.runtime.create(NewSession { settings, ..NewSession::default() }).await?;
        self.watch.add(&session).await?;
        self.sessions.insert(deed.thread.clone(), session);
        Ok(())
    }

    async fn page(&mut self, (session, page): Page, mut show: Option<&mut Show>) -> Result<(), Failure> {
        for written in &page {
            let event = written.read()?;
            self.questions.heard(&event);
            self.progress.heard(session, written.seq, &event);
            if let Some(show) = show.as_deref_mut() {
                show.event(session, written, &event)?;
            }
        }
        self.catch_up().await?;
        if self.played {
            self.stop_what_runs().await?;
        }
        Ok(self.questions.answer(&self.runtime).await?)
    }

    /// What comes next, when it waits for a word.
    fn announce(&self, place: usize, show: Option<&mut Show>) -> Result<(), Failure> {
        let Some(Step::Say(say)) = self.script.steps.get(place) else { return Ok(()) };
        tell(show, &format!("[{}/{}] {} — Enter", place + 1, self.script.steps.len(), say.name()))
    }

    /// Everything was said. A turn that still runs will not go on by itself.
    async fn end(&mut self, show: Option<&mut Show>) -> Result<(), Failure> {
        self.played = true;
        let running =
            self.script.unfinished.iter().filter(|thread| self.sessions.contains_key(*thread)).count();
        if running > 0 {
            tell(show, "the recording ends here, in the middle of a turn; it is stopped")?;
        }
        self.stop_what_runs().await
    }

    /// Stops turns whose end was not recorded, once all those before them have ended here too.
    async fn stop_what_runs(&mut self) -> Result<(), Failure> {
        for thread in &self.script.unfinished {
            let Some(session) = self.sessions.get(thread) else { continue };
            let begun =
                self.script.deeds().filter(|(_, deed)| deed.begins() && deed.thread == *thread).count();
            let ended = self.progress.ended(session.id());
            if ended + 1 == begun && self.stopped.insert(session.id()) {
                or_idle(session.interrupt(false).await)?;
            }
        }
        Ok(())
    }

    fn not_again(&self, place: usize) -> Failure {
        let what = format!("step {} of {} did not happen again", place + 1, self.script.steps.len());
        Failure::failed(what, "the client that was recorded did what a session does not do")
    }
}

fn tell(show: Option<&mut Show>, text: &str) -> Result<(), Failure> {
    match show {
        Some(show) => Ok(show.aside(text)?),
        None => {
            eprintln!("{text}");
            Ok(())
        }
    }
}

/// The place of a deed that should have been done by now.
async fn too_long(awaited: Option<(usize, Instant)>) -> usize {
    let Some((place, until)) = awaited else { return std::future::pending().await };
    sleep_until(until).await;
    place
}

/// What has ended by itself need not be stopped.
fn or_idle(stopped: Result<(), Error>) -> Result<(), Error> {
    match stopped {
        Err(error) if error.code == Code::Idle => Ok(()),
        other => other,
    }
}

fn failed(place: usize, error: &Error) -> Failure {
    let what = format!("step {} of the recording could not be done again: {}", place + 1, error.message);
    Failure::failed(what, error.hint.as_deref().unwrap_or("it may come from a client with other abilities"))
}

fn gone() -> Failure {
    Failure::failed(
        "the player ended before the recording did",
        "play it with `selvedge rehearse recording FILE` to see why",
    )
}
