//! How a stream ends before its source does: with words that say why.

use axum::body::BodyDataStream;
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};

use crate::metrics::Present;

/// The same stream until it is told to end; then one comment, and its end. A reader that comes back loses nothing.
pub(crate) fn until(
    stream: BodyDataStream,
    told: impl Future<Output = &'static str> + Send + 'static,
    counted: Present,
) -> impl Stream<Item = Result<Bytes, axum::Error>> + Send {
    stream::unfold(Some((stream, Box::pin(told), counted)), |going| async move {
        let (mut stream, mut told, counted) = going?;
        tokio::select! {
            biased;
            why = &mut told => Some((Ok(comment(why)), None)),
            chunk = stream.next() => chunk.map(|chunk| (chunk, Some((stream, told, counted)))),
        }
    })
}

fn comment(words: &str) -> Bytes {
    Bytes::from(format!(": {words}\n\n"))
}
