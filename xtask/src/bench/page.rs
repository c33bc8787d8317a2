//! The suite `page`: a session of 10,000 items in the browser of this machine, beside one of 100, on the stand-in.

use super::figures::{best_of, least, report, row, several};
use super::table::{Limit, Table};
use crate::failure::Failure;
use crate::{setup, tool, ui};

/// What a person takes for at once, in milliseconds.
const A_SECOND: Limit = Limit::AtMost(1_000.0);

/// Measures everything of this suite. Every run makes its sessions anew, and each visit is a browser that knows nothing of them.
pub(super) fn measure(table: &mut Table) -> Result<(), Failure> {
    let browser = setup::browser()
        .ok_or_else(|| Failure::new("no chromium was found").hint("docs/testing.md says how to get one"))?;
    ui::provide()?;
    let selvedge = tool::build_executable(&["--release", "--package", "selvedge-cli"], "selvedge")?;
    let reports = several(|| report(ui::bench(&browser, &selvedge)?, "page"))?;
    for (name, figure, unit, limit) in [
        ("100 items, opened", "short_opened_ms", "ms", Limit::None),
        ("100 items, by a click", "short_clicked_ms", "ms", Limit::None),
        ("10,000 items, opened", "long_opened_ms", "ms", A_SECOND),
        ("10,000 items, by a click", "long_clicked_ms", "ms", A_SECOND),
        ("scrolling: longest frame", "longest_frame_ms", "ms", Limit::None),
        ("… frames over 33 ms", "stutter_percent", "%", Limit::AtMost(5.0)),
    ] {
        table.add(row(name, best_of(&reports, figure, least), unit, limit));
    }
    Ok(())
}
