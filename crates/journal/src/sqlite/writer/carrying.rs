//! Carries over into the log what was jotted down: a moment later, when somebody wants to read it, or after its program has died.

use std::time::Duration;

use tokio::sync::oneshot;

use super::{PATIENCE, Writer};
use crate::{
    error::StoreError,
    record::SessionId,
    sqlite::{
        explain::{explain, is_full},
        heads,
        placing::Appended,
        room,
        slip::Jotted,
    },
    store::Head,
};

impl Writer {
    /// What was jotted down goes into the log, here and by programs that have died. Where it finds no room, or somebody else writes
    /// for longer than that, it stays where it is, which is as durable.
    pub(in crate::sqlite) fn carry_over(&mut self, patience: Duration) -> rusqlite::Result<()> {
        if !self.desk.has_left() && !self.desk.has_jotted() {
            return Ok(());
        }
        self.with_patience(patience, |writer| {
            if writer.desk.has_left() {
                writer.desk.carry_all_left(&mut writer.connection)?;
            }
            if writer.desk.has_jotted() {
                room::beyond_the_limit(writer, |writer| &writer.connection, Self::carry_over_ours)?;
            }
            Ok(())
        })
    }

    fn carry_over_ours(&mut self) -> rusqlite::Result<()> {
        let carried = self.commit(&[]);
        if carried.as_ref().is_err_and(is_full) {
            // It would become more and more.
            self.desk.stop();
        }
        carried.map(drop)
    }

    /// The same for those who want to read it.
    pub(super) fn carry_over_for(&mut self, readers: Vec<oneshot::Sender<Result<(), StoreError>>>) {
        if readers.is_empty() {
            return;
        }
        let carried = self.carry_over(PATIENCE).map_err(|error| explain(&self.path, &error));
        if carried.is_err() {
            self.show_jotted();
        }
        for reader in readers {
            let _ = reader.send(carried.clone());
        }
    }

    /// Whoever comes now to read at the tip gets what the log has not yet.
    fn show_jotted(&self) {
        for Jotted { ready, place } in self.desk.jotted() {
            self.show(&ready.session, &ready.blob, place.head);
        }
    }

    /// Where a session stands, and all of it is in the log if the program has died that was ahead with it.
    pub(super) fn take_over(&mut self, session: &SessionId) -> rusqlite::Result<Head> {
        if let Some(head) = self.desk.ahead(session) {
            return Ok(head);
        }
        let claimed = heads::place(&self.connection, session)?.and_then(|place| place.slip);
        let taken_over =
            self.with_patience(PATIENCE, |writer| writer.desk.take_over(&mut writer.connection, claimed));
        // Without room, or while somebody else writes, it is told where the log ends.
        if let Ok(true) = taken_over {
            self.written.add(0);
            self.tell_all()?;
        }
        Ok(heads::place(&self.connection, session)?.map(|place| place.head).unwrap_or_default())
    }

    /// What was jotted down is in the log now: feeds are told of it. Its readers have it already.
    pub(super) fn carried_over(&mut self, placed: Vec<Option<Appended>>) {
        if placed.is_empty() {
            return;
        }
        let jotted = self.desk.take_jotted();
        let mut carried = Vec::with_capacity(placed.len());
        for (Jotted { ready, .. }, appended) in jotted.iter().zip(placed) {
            self.written.add(ready.blob.len());
            match appended {
                Some(Appended { place, id }) => {
                    self.heads.remember(&ready.session, place);
                    carried.push((id, ready.kinds));
                }
                // The session was removed by somebody else: its owner is told at its next append.
                None => self.heads.forget(&ready.session),
            }
        }
        self.pulses.committed(&carried);
    }
}
