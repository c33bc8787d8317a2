//! stand-in
use std::path::PathBuf;
use selvedge_session::{InputPart, SessionId};
use crate::error::Error;
pub struct Files(PathBuf);
impl Files {
    pub fn new(d: PathBuf) -> Self { Self(d) }
    pub fn path(&self, s: &str) -> PathBuf { self.0.join(s) }
    pub async fn keep(&self, _s: SessionId, _d: Vec<u8>, _m: &str) -> Result<InputPart, Error> { Err(Error::of(selvedge_session::Code::Internal)) }
    pub async fn keep_url(&self, _s: SessionId, _u: &str) -> Result<InputPart, Error> { Err(Error::of(selvedge_session::Code::Internal)) }
    pub fn remove(&self, _s: SessionId) -> Result<(), Error> { Ok(()) }
}
