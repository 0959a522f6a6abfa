//! Where a request was meant to go, and from which page it comes.
//!
//! A page may have a browser send requests to any address, one's own machine included, under any name
//! that leads there. So a request is answered only where it names a host this service goes by, and
//! what changes something only where no page of another origin sent it.

use crate::http::edge::problem::{ApiError, Result};
use crate::http::edge::settings::{Settings, usual_port};
use crate::language::both;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::{self, HeaderValue};
use actix_web::http::{Method, StatusCode};
use std::net::IpAddr;

/// The names this service goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    any: bool,
    /// In small letters, without a port.
    named: Vec<String>,
    /// The address it listens on.
    bound: IpAddr,
}

impl Hosts {
    /// What the operator named, and what follows from the address listened on.
    pub fn of(settings: &Settings) -> Self {
        let names = settings.host.iter();
        Self {
            any: settings.host.iter().any(|name| name == "*"),
            named: names.map(|name| name_of(name).to_lowercase()).collect(),
            bound: settings.bind.ip(),
        }
    }

    /// Whether the service goes by a name, with or without a port: one may be mapped to another.
    pub fn knows(&self, host: &str) -> bool {
        let name = name_of(host);
        if self.any || self.is_named(name) {
            return true;
        }
        if let Ok(address) = name.trim_matches(['[', ']']).parse::<IpAddr>() {
            // Nobody's name leads to an address that is asked for as such.
            return self.bound.is_unspecified()
                || address == self.bound
                || (self.bound.is_loopback() && address.is_loopback());
        }
        (self.bound.is_loopback() || self.bound.is_unspecified())
            && name.eq_ignore_ascii_case("localhost")
    }

    fn is_named(&self, name: &str) -> bool {
        self.named
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Lets a request by that names a host of this service, and comes from no page that may not send it.
    pub fn check(&self, cors: &[String], request: &ServiceRequest) -> Result {
        let headers = request.headers();
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let mut host = None;
        let named = headers.get_all(header::HOST).map(text);
        let authority = request
            .uri()
            .authority()
            .map(|authority| authority.as_str().to_owned());
        for name in authority.into_iter().chain(named) {
            if !self.knows(&name) {
                return Err(unknown_host(&name));
            }
            host = Some(name);
        }
        let safe = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
        if safe {
            return Ok(());
        }
        for origin in headers.get_all(header::ORIGIN).map(text) {
            let listed = cors.iter().any(|known| known == "*" || *known == origin);
            if !listed && !self.is_own(&origin, host.as_deref()) {
                return Err(foreign(&origin));
            }
        }
        Ok(())
    }

    /// Whether pages of an origin are this service's own: they come from where the request goes, or
    /// from a name the operator has given it.
    fn is_own(&self, origin: &str, host: Option<&str>) -> bool {
        let Some((scheme, authority)) = origin.split_once("://") else {
            return false;
        };
        let Some(usual) = usual_port(scheme) else {
            return false;
        };
        let bare = |authority: &str| {
            authority
                .strip_suffix(usual)
                .unwrap_or(authority)
                .to_lowercase()
        };
        host.is_some_and(|host| bare(host) == bare(authority)) || self.is_named(name_of(authority))
    }
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    let host = host.trim();
    let digits = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    match host.rsplit_once(':') {
        // The colons within brackets are the address's own.
        Some((name, port)) if digits(port) && (!name.contains(':') || name.ends_with(']')) => name,
        _ => host,
    }
}

fn unknown_host(host: &str) -> ApiError {
    let status = StatusCode::MISDIRECTED_REQUEST;
    ApiError::new(
        status,
        "host_unknown",
        both!(
            "this service does not go by the name `{host}`: its operator can name it with --host",
            "此服务不以“{host}”为名：管理员可用 --host 指定"
        ),
    )
}

fn foreign(origin: &str) -> ApiError {
    ApiError::new(
        StatusCode::FORBIDDEN,
        "origin_foreign",
        both!(
            "pages of `{origin}` may change nothing here: the operator can name it with --cors",
            "“{origin}”的页面不得在此改动：管理员可用 --cors 允许"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::{Hosts, name_of};

    fn hosts(bound: &str, named: &[&str]) -> Hosts {
        Hosts {
            any: named.contains(&"*"),
            named: named.iter().map(|&name| name_of(name).to_owned()).collect(),
            bound: bound.parse().unwrap(),
        }
    }

    #[test]
    fn a_service_goes_by_its_address_and_the_names_it_was_given() {
        for (bound, named, known, unknown) in [
            (
                "127.0.0.1",
                &[][..],
                &[
                    "localhost",
                    "LOCALHOST:8080",
                    "127.0.0.1",
                    "127.0.0.1:1",
                    "[::1]:80",
                ][..],
                &[
                    "evil.example",
                    "localhost.evil.example",
                    "192.0.2.1",
                    "",
                    "::1:x",
                ][..],
            ),
            (
                "0.0.0.0",
                &["qili.example:443"],
                &[
                    "qili.example",
                    "Qili.Example:8080",
                    "192.0.2.1:80",
                    "[2001:db8::1]",
                ],
                &["evil.example", "qili.example.evil.example"],
            ),
            (
                "192.0.2.1",
                &[],
                &["192.0.2.1"],
                &["localhost", "192.0.2.2"],
            ),
            ("127.0.0.1", &["*"], &["evil.example"], &[]),
        ] {
            let hosts = hosts(bound, named);
            for name in known {
                assert!(hosts.knows(name), "{bound} {name}");
            }
            for name in unknown {
                assert!(!hosts.knows(name), "{bound} {name}");
            }
        }
    }

    #[test]
    fn pages_of_this_service_come_from_where_their_requests_go() {
        let hosts = hosts("127.0.0.1", &["qili.example"]);
        for (origin, host, own) in [
            ("http://localhost:8080", "localhost:8080", true),
            ("http://localhost", "localhost:80", true),
            ("https://qili.example", "127.0.0.1:8080", true),
            ("http://localhost:3000", "localhost:8080", false),
            ("http://evil.example", "localhost:8080", false),
            ("null", "localhost:8080", false),
            ("file://", "localhost:8080", false),
        ] {
            assert_eq!(hosts.is_own(origin, Some(host)), own, "{origin} {host}");
        }
        assert!(!hosts.is_own("http://localhost", None));
    }
}
