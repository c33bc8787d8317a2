//! Pictures in `data:` addresses. Nothing is ever fetched.

use base64::{Engine, prelude::BASE64_STANDARD};

use super::FileError;

/// A picture as it came.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// For example `image/png`.
    pub media_type: String,
    /// The picture itself.
    pub bytes: Vec<u8>,
}

impl Picture {
    /// Of base64, as it stands in a message.
    pub fn of_base64(media_type: &str, data: &str) -> Result<Self, FileError> {
        let media_type = media_type.to_ascii_lowercase();
        if !media_type.starts_with("image/") {
            return Err(FileError::Kind);
        }
        let bytes = BASE64_STANDARD.decode(data.trim());
        let bytes = bytes.map_err(|_quotes| FileError::Invalid("the image is no base64".to_owned()))?;
        if bytes.is_empty() {
            return Err(FileError::Invalid("the image is empty".to_owned()));
        }
        Ok(Self { media_type, bytes })
    }
}

/// The picture in a `data:` address; any other address is refused.
pub fn picture_of_url(url: &str) -> Result<Picture, FileError> {
    let Some(inside) = url.strip_prefix("data:") else {
        return Err(FileError::Remote);
    };
    let Some((kind, data)) = inside.split_once(',') else {
        return Err(FileError::Invalid("a `data:` address has a comma before its data".to_owned()));
    };
    let Some(kind) = kind.strip_suffix(";base64") else {
        return Err(FileError::Invalid("an image's `data:` address has to be in base64".to_owned()));
    };
    let media_type = kind.split(';').next().unwrap_or_default();
    Picture::of_base64(media_type, data)
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({}, {} bytes)", self.media_type, self.bytes.len())
    }
}
