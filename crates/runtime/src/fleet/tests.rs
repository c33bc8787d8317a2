//! The fleet, with shells as app-servers, so that each behaves or misbehaves on purpose.

mod deaths;
mod leaving;
mod real;
mod sharing;
mod stage;
mod within;
