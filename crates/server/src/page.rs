//! The page: the files that `cargo xtask ui` made of `ui/`, carried within this program; and what is shown without them.

pub(crate) mod door;
mod file;

pub(crate) use file::File;

/// What was made, in the order of the paths. Nothing, if the page was not built before the program.
static BUILT: &[File] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// Says that this program has no page, and how to get one.
static UNBUILT: File = File { path: "index.html", plain: include_bytes!("page/unbuilt.html"), gzip: None };

/// For the pages that are there without the page.
static STYLE: File = File { path: "door.css", plain: include_bytes!("page/door.css"), gzip: None };

/// What a browser opens first, and at each of the page's own addresses.
pub(crate) fn index() -> &'static File {
    find("index.html").unwrap_or(&UNBUILT)
}

/// The file at this path, if there is one.
pub(crate) fn find(path: &str) -> Option<&'static File> {
    let place = BUILT.binary_search_by_key(&path, |file| file.path).ok()?;
    BUILT.get(place)
}

/// What is asked for by name beside the page itself: icons, a manifest.
pub(crate) fn beside_index() -> impl Iterator<Item = &'static File> {
    let built = BUILT.iter().filter(|file| !file.is_asset() && file.path != "index.html");
    built.chain([&STYLE])
}
