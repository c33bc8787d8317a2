//! What a message says that interrupted another: both, and what the agent had answered, in one clear text.

use selvedge_session::{Cut, InputPart};

/// The previous message, the answer so far and the new message, as one text; the pictures of both go before it.
pub(super) fn combined(cut: &Cut, input: &[InputPart]) -> Vec<InputPart> {
    let pictures = cut.input.iter().chain(input).filter(|part| matches!(part, InputPart::Image { .. }));
    let mut parts: Vec<InputPart> = pictures.cloned().collect();
    parts.push(InputPart::Text { text: text(cut, input) });
    parts
}

fn text(cut: &Cut, input: &[InputPart]) -> String {
    let partial = match cut.partial.trim() {
        "" => "(nothing yet)",
        partial => partial,
    };
    format!(
        "Your work on the previous message was interrupted by a new one.\n\n\
         Previous message:\n{}\n\nYour answer so far:\n{partial}\n\nNew message:\n{}",
        words(&cut.input),
        words(input)
    )
}

fn words(input: &[InputPart]) -> String {
    let texts = input.iter().filter_map(|part| match part {
        InputPart::Text { text } => Some(text.as_str()),
        InputPart::Image { .. } => None,
    });
    texts.collect::<Vec<_>>().join("\n\n")
}
