//! Wrong tokens, counted by address: ten a minute, and then only who came in from there before.
//!
//! Others may share an address (a proxy, this machine), and a forgotten tab asks again and again with an old cookie.
//! So a full count does not lock out a token that has come in from the same address; it stops guessing.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::tokens::TokenId;

const MOST: u32 = 10;
const WITHIN: Duration = Duration::from_secs(60);
/// Addresses that are remembered.
const ADDRESSES: usize = 10_000;

/// What becomes of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judged {
    Enter,
    Unknown,
    TooMany,
}

#[derive(Debug, Default)]
pub(super) struct Attempts {
    addresses: Mutex<HashMap<IpAddr, Address>>,
}

#[derive(Debug)]
struct Address {
    since: Instant,
    wrong: u32,
    /// The tokens that came in from there.
    known: Vec<TokenId>,
}

impl Attempts {
    /// What becomes of a request that brought a token or none, which was found or not.
    pub(super) fn judge(&self, address: IpAddr, brought: bool, found: Option<TokenId>) -> Judged {
        self.judge_at(Instant::now(), address, brought.then_some(found))
    }

    fn judge_at(&self, now: Instant, address: IpAddr, brought: Option<Option<TokenId>>) -> Judged {
        // Who brings nothing does not guess.
        let Some(found) = brought else { return Judged::Unknown };
        let mut addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        if addresses.len() >= ADDRESSES {
            addresses.retain(|_, address| now.duration_since(address.since) < WITHIN);
        }
        if addresses.len() >= ADDRESSES && !addresses.contains_key(&network(address)) {
            return found.map_or(Judged::TooMany, |_| Judged::Enter);
        }
        let fresh = || Address { since: now, wrong: 0, known: Vec::new() };
        let address = addresses.entry(network(address)).or_insert_with(fresh);
        if now.duration_since(address.since) >= WITHIN {
            (address.since, address.wrong) = (now, 0);
        }
        address.judge(found)
    }
}

impl Address {
    fn judge(&mut self, found: Option<TokenId>) -> Judged {
        match found {
            Some(token) if self.known.contains(&token) => Judged::Enter,
            _ if self.wrong >= MOST => Judged::TooMany,
            Some(token) => {
                self.known.push(token);
                Judged::Enter
            }
            None => {
                self.wrong += 1;
                Judged::Unknown
            }
        }
    }
}

/// Whoever has one IPv6 address has 2^64 of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) if !six.is_loopback() => {
            let [a, b, c, d, ..] = six.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_wrong_ones_a_minute_stop_guessing_but_nobody_who_was_in() {
        let (attempts, start) = (Attempts::default(), Instant::now());
        let [first, second] = ["first", "second"].map(|secret| Some(Some(TokenId::of(secret))));
        let (here, there) = ("192.0.2.1".parse().unwrap(), "192.0.2.2".parse().unwrap());
        assert_eq!(attempts.judge_at(start, here, first), Judged::Enter);
        for _ in 0..MOST {
            assert_eq!(attempts.judge_at(start, here, Some(None)), Judged::Unknown);
        }
        assert_eq!(attempts.judge_at(start, here, Some(None)), Judged::TooMany);
        assert_eq!(attempts.judge_at(start, here, second), Judged::TooMany, "a right guess is one too");
        assert_eq!(attempts.judge_at(start, here, first), Judged::Enter);
        assert_eq!(attempts.judge_at(start, here, None), Judged::Unknown);
        assert_eq!(attempts.judge_at(start, there, Some(None)), Judged::Unknown);
        assert_eq!(attempts.judge_at(start + WITHIN, here, second), Judged::Enter);
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
