//! The router, over streams that a test speaks into.
