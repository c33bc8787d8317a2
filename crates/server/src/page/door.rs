//! What a person sees who is not let in: why, and how to get in. Programs get the same as a problem.

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, Method, header},
    response::{IntoResponse as _, Response},
};

use crate::{accepted, access, problem::Problem};

const PAGE: &str = include_str!("door.html");
/// Where it says why.
const NOTICE: &str = "<!--notice-->";
/// The cookie does not come with a link of another site, but it does with a step from here.
const FROM_ELSEWHERE: &str =
    "A link from another site led here. If this browser was let in before, <a href=\"\">go on</a>.";

/// Whether a person looks at the answer: a browser that goes to an address.
pub(crate) fn is_for_a_person(request: &Request) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD)
        && accepted::names(request.headers(), &header::ACCEPT, "text/html")
}

/// The same refusal with the same status, for a person.
pub(crate) fn shut(problem: Problem, request: &Request) -> Response {
    let said = notice(&problem, request).map(|text| format!("<p class=\"notice\" role=\"alert\">{text}</p>"));
    let page = PAGE.replace(NOTICE, &said.unwrap_or_default());
    let mut response = problem.into_response();
    *response.body_mut() = Body::from(page);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

/// Why, if there is more to say than that a token is needed.
fn notice(problem: &Problem, request: &Request) -> Option<String> {
    if problem.detail != access::NONE_GIVEN {
        return Some(sentence(problem));
    }
    let site = request.headers().get("sec-fetch-site")?;
    (site == "cross-site").then(|| FROM_ELSEWHERE.to_owned())
}

/// What happened and, for what time heals, what to do; the rest of the page says what to do else.
fn sentence(problem: &Problem) -> String {
    let mut letters = problem.detail.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let said: String = first.into_iter().chain(letters).collect();
    let hint = problem.hint.as_ref().filter(|_| problem.status == 429);
    escaped(&hint.map_or_else(|| format!("{said}."), |hint| format!("{said}: {hint}.")))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use selvedge_session::Code;

    use super::*;

    fn asked(headers: &[(&str, &str)]) -> Request {
        let start = Request::builder().uri("/");
        let with = headers.iter().fold(start, |request, (name, value)| request.header(*name, *value));
        with.body(Body::empty()).unwrap()
    }

    fn none_given() -> Problem {
        Problem::coded(Code::Unauthenticated, access::NONE_GIVEN)
    }

    #[test]
    fn a_browser_is_a_person_and_a_program_is_not() {
        assert!(is_for_a_person(&asked(&[("accept", "text/html,application/xhtml+xml,*/*;q=0.8")])));
        for headers in [&[("accept", "*/*")][..], &[("accept", "application/json")], &[]] {
            assert!(!is_for_a_person(&asked(headers)), "{headers:?}");
        }
    }

    #[test]
    fn it_says_why_but_for_the_first_visit() {
        assert_eq!(notice(&none_given(), &asked(&[])), None);
        let scope = Problem::coded(Code::Forbidden, "the token `<b>` has no scope `read`");
        let said = notice(&scope, &asked(&[])).unwrap();
        assert_eq!(said, "The token `&lt;b&gt;` has no scope `read`.");
        let wait = notice(&Problem::of(Code::TooManyAttempts), &asked(&[])).unwrap();
        assert_eq!(wait, "Too many tokens were wrong: wait a minute.");
    }

    #[test]
    fn whoever_came_by_a_link_can_go_on() {
        let linked = asked(&[("sec-fetch-site", "cross-site")]);
        assert!(notice(&none_given(), &linked).unwrap().contains("<a href=\"\">"));
        assert_eq!(notice(&none_given(), &asked(&[("sec-fetch-site", "none")])), None);
    }
}
