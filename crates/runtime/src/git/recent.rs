//! What git said lately of many directories: a list that is read often starts few programs, and a slow repository does
//! not make it slow.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{OnceCell, Semaphore},
    task::JoinSet,
    time::{Instant, timeout_at},
};

use super::{GitFacts, Looks, QUICKLY, Told, read_each};

/// An answer is good for so long.
const FRESH: Duration = Duration::from_secs(2);
/// And for so many times as long as it took: a slow repository is asked rarely.
const PATIENCE: u32 = 6;
/// Directories that git is asked about at a time.
const AT_ONCE: usize = 8;

/// What git said lately.
#[derive(Debug)]
pub(crate) struct Recent {
    looks: Looks,
    asked: Mutex<HashMap<Question, Arc<OnceCell<Answer>>>>,
    few: Semaphore,
}

/// What is asked of one directory: how it stands, and what changed there since each of some commits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Question {
    cwd: PathBuf,
    bases: Vec<Option<String>>,
}

#[derive(Debug)]
struct Answer {
    told: Arc<Told>,
    good_until: Instant,
}

impl Recent {
    pub(crate) fn new(looks: Looks) -> Self {
        Self { looks, asked: Mutex::default(), few: Semaphore::new(AT_ONCE) }
    }

    /// What git says of some places, each a directory and the commit that lines are counted from. Nothing of what is no
    /// repository, and of what git does not say within the time of one question.
    pub(crate) async fn facts(self: &Arc<Self>, places: &[(&str, Option<&str>)]) -> Vec<Option<GitFacts>> {
        self.forget_old();
        let deadline = Instant::now() + QUICKLY;
        let (mut told, mut asking) = (HashMap::new(), JoinSet::new());
        for question in questions(places) {
            if let Some(known) = self.known(&question) {
                told.insert(question.cwd, known);
                continue;
            }
            let this = Arc::clone(self);
            asking.spawn(async move {
                let told = this.ask(&question, deadline, ask_git(&this.looks, &question, deadline)).await;
                (question.cwd, told)
            });
        }
        while let Some(answered) = asking.join_next().await {
            told.extend(answered.ok());
        }
        let facts = |(cwd, base): &(&str, Option<&str>)| {
            told.get(Path::new(cwd))?.get(&base.map(str::to_owned)).cloned()
        };
        places.iter().map(facts).collect()
    }

    fn known(&self, question: &Question) -> Option<Arc<Told>> {
        Some(Arc::clone(&self.asked().get(question)?.get()?.told))
    }

    /// What was answered lately, what somebody is asking already, or what is found out now.
    async fn ask(
        &self,
        question: &Question,
        deadline: Instant,
        finding: impl Future<Output = Told>,
    ) -> Arc<Told> {
        let cell = Arc::clone(self.asked().entry(question.clone()).or_default());
        let finding = async {
            let _few = self.few.acquire().await;
            let begun = Instant::now();
            let told = Arc::new(finding.await);
            let good_for = FRESH.max(begun.elapsed() * PATIENCE);
            Answer { told, good_until: Instant::now() + good_for }
        };
        match timeout_at(deadline, cell.get_or_init(|| finding)).await {
            Ok(answer) => Arc::clone(&answer.told),
            Err(_too_slow) => Arc::default(),
        }
    }

    fn forget_old(&self) {
        let now = Instant::now();
        self.asked().retain(|_, cell| match cell.get() {
            Some(answer) => answer.good_until > now,
            // Without an answer it is there for those who wait for one.
            None => Arc::strong_count(cell) > 1,
        });
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<Question, Arc<OnceCell<Answer>>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One for each directory, however many work there.
fn questions(places: &[(&str, Option<&str>)]) -> Vec<Question> {
    let mut directories: BTreeMap<&str, Vec<Option<String>>> = BTreeMap::new();
    for (cwd, base) in places {
        let (bases, base) = (directories.entry(cwd).or_default(), base.map(str::to_owned));
        if !bases.contains(&base) {
            bases.push(base);
        }
    }
    directories.into_iter().map(|(cwd, bases)| Question { cwd: cwd.into(), bases }).collect()
}

/// What git says by then.
async fn ask_git(looks: &Looks, question: &Question, deadline: Instant) -> Told {
    let mut told = Told::new();
    // What it had said when it was too slow for the rest counts.
    let _too_slow = timeout_at(deadline, read_each(looks, &question.cwd, &question.bases, &mut told)).await;
    told
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn recent() -> Recent {
        let nowhere = tempfile::tempdir().unwrap();
        Recent::new(Looks::new(nowhere.path()).unwrap())
    }

    /// Asks, counts how often git would have been, and answers after a while.
    async fn ask(recent: &Recent, git: &AtomicUsize, takes: Duration) -> bool {
        recent.forget_old();
        let question = Question { cwd: "/work".into(), bases: vec![None] };
        let finding = async {
            git.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(takes).await;
            Told::from([(None, GitFacts::default())])
        };
        let told = recent.ask(&question, Instant::now() + QUICKLY, finding).await;
        told.contains_key(&None)
    }

    #[test]
    fn sessions_in_one_directory_are_one_question() {
        let (one, two) = (Some("1111111"), Some("2222222"));
        let asked = questions(&[("/a", one), ("/b", None), ("/a", one), ("/a", two), ("/b", None)]);
        let bases = |bases: &[Option<&str>]| bases.iter().map(|base| base.map(str::to_owned)).collect();
        let expected = [
            Question { cwd: "/a".into(), bases: bases(&[one, two]) },
            Question { cwd: "/b".into(), bases: bases(&[None]) },
        ];
        assert_eq!(asked, expected);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_is_shared_and_remembered_for_a_short_time() {
        let (recent, git) = (recent(), AtomicUsize::new(0));
        let quick = Duration::from_millis(10);
        let (first, second) = tokio::join!(ask(&recent, &git, quick), ask(&recent, &git, quick));
        assert!(first && second && ask(&recent, &git, quick).await);
        assert_eq!(git.load(Ordering::SeqCst), 1, "two at once, and one soon after");
        tokio::time::advance(FRESH).await;
        assert!(ask(&recent, &git, quick).await);
        assert_eq!(git.load(Ordering::SeqCst), 2, "what is old is asked again");
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_repository_is_asked_rarely_and_one_that_is_too_slow_is_given_up() {
        let (recent, git) = (recent(), AtomicUsize::new(0));
        let slow = Duration::from_secs(3);
        assert!(ask(&recent, &git, slow).await);
        tokio::time::advance(5 * slow).await;
        assert!(ask(&recent, &git, slow).await);
        assert_eq!(git.load(Ordering::SeqCst), 1);
        tokio::time::advance(slow).await;
        let begun = Instant::now();
        assert!(!ask(&recent, &git, 2 * QUICKLY).await);
        assert_eq!(begun.elapsed().as_secs(), QUICKLY.as_secs(), "nobody waits longer");
    }
}
