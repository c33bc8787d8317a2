//! The token that a request brings: in its head, in its address, or in the page's cookie.

use axum::{
    extract::{Query, Request},
    http::{Uri, header, uri::PathAndQuery},
};

use super::{
    cookie,
    tokens::{Token, Tokens},
};

/// What a request brings, and where it had it.
pub(super) enum Given {
    Head(String),
    Address(String),
    Cookie(String),
}

impl Given {
    /// Takes it. Nothing deeper sees a token, not even in the address.
    pub(super) fn take(request: &mut Request, cookie: &str) -> Option<Self> {
        let in_address = take_from_address(request);
        let headers = request.headers_mut();
        let head = headers.remove(header::AUTHORIZATION);
        let cookies: Vec<_> = headers.get_all(header::COOKIE).iter().cloned().collect();
        headers.remove(header::COOKIE);
        if let Some(head) = head {
            return Some(Self::Head(bearer(head.to_str().unwrap_or_default()).to_owned()));
        }
        if let Some(secret) = in_address {
            return Some(Self::Address(secret));
        }
        let mut values = cookies.iter().filter_map(|header| header.to_str().ok());
        values.find_map(|header| cookie::value(header, cookie)).map(|value| Self::Cookie(value.to_owned()))
    }

    /// Whose it is.
    pub(super) fn find<'tokens>(&self, tokens: &'tokens Tokens) -> Option<&'tokens Token> {
        match self {
            Self::Head(secret) | Self::Address(secret) => tokens.find(secret),
            Self::Cookie(secret) => tokens.find_page(secret),
        }
    }
}

/// What follows `Bearer`; nothing of any other scheme, which is then nobody's token.
fn bearer(head: &str) -> &str {
    match head.split_once(' ') {
        Some((scheme, secret)) if scheme.eq_ignore_ascii_case("bearer") => secret.trim(),
        _ => "",
    }
}

fn take_from_address(request: &mut Request) -> Option<String> {
    let query = request.uri().query()?;
    let is_token = |part: &&str| part.split('=').next() == Some("token");
    let part = query.split('&').find(is_token)?;
    let secret = decoded(part);
    let rest: Vec<&str> = query.split('&').filter(|part| !is_token(part)).collect();
    let path = request.uri().path();
    let place = if rest.is_empty() { path.to_owned() } else { format!("{path}?{}", rest.join("&")) };
    let mut parts = request.uri().clone().into_parts();
    parts.path_and_query = PathAndQuery::try_from(place).ok();
    if let Ok(uri) = Uri::from_parts(parts) {
        *request.uri_mut() = uri;
    }
    secret
}

fn decoded(part: &str) -> Option<String> {
    let uri = Uri::try_from(format!("/?{part}")).ok()?;
    let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(&uri).ok()?;
    pairs.into_iter().next().map(|(_, secret)| secret)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn taken(uri: &str, headers: &[(&str, &str)]) -> (Option<(&'static str, String)>, String) {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(Body::empty()).unwrap();
        let given = Given::take(&mut request, "page").map(|given| match given {
            Given::Head(secret) => ("head", secret),
            Given::Address(secret) => ("address", secret),
            Given::Cookie(secret) => ("cookie", secret),
        });
        assert!(
            !request.headers().contains_key("authorization") && !request.headers().contains_key("cookie")
        );
        (given, request.uri().to_string())
    }

    #[test]
    fn it_is_taken_from_where_it_stands_and_leaves_the_rest() {
        let bearer = [("authorization", "bearer abc")];
        assert_eq!(taken("/x?after=1", &bearer), (Some(("head", "abc".into())), "/x?after=1".into()));
        let other = [("authorization", "Basic abc")];
        assert_eq!(taken("/x", &other), (Some(("head", String::new())), "/x".into()));
        assert_eq!(taken("/x?token=a%2Bb", &[]), (Some(("address", "a+b".into())), "/x".into()));
        assert_eq!(taken("/x?a=1&token=t&b=2", &[]), (Some(("address", "t".into())), "/x?a=1&b=2".into()));
        let cookie = [("cookie", "other=1; page=secret")];
        assert_eq!(taken("/x", &cookie), (Some(("cookie", "secret".into())), "/x".into()));
        assert_eq!(taken("/x?tokens=1", &[]), (None, "/x?tokens=1".into()));
    }
}
