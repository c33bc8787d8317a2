//! How events are shown: streamed for a person, plain in a pipe, or as they are for a program.

pub(crate) mod amounts;
pub(crate) mod approval;
pub(crate) mod clean;
pub(crate) mod deed;
pub(crate) mod json;
pub(crate) mod plain;
pub(crate) mod screen;
pub(crate) mod style;
pub(crate) mod terminal;

#[cfg(test)]
mod tests;
