//! What would keep a service from starting, told before it is started.

use crate::http::desk::page::judge_in;
use crate::http::edge::keys::Keys;
use crate::http::edge::settings::{Settings, StartError};
use crate::http::edge::{log, trace};
use crate::http::front::service::{listen, not_listening};

/// Something about the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The service would not start.
    Refused(StartError),
    /// It would not start now: somebody, perhaps this service, listens there already.
    Taken(StartError),
}

/// What is wrong with the settings, the store left out of account: it has `keys` keys.
pub fn obstacles(settings: &Settings, keys: i64) -> Vec<Obstacle> {
    let mut found = Vec::new();
    if let Err(told) = log::filter(&settings.log) {
        found.push(Obstacle::Refused(told));
    }
    if let Some(Err(told)) = settings.keys.as_deref().map(Keys::read) {
        found.push(Obstacle::Refused(told));
    }
    if let Some(Err(told)) = settings.judge.as_deref().map(judge_in) {
        found.push(Obstacle::Refused(told));
    }
    if let Some(endpoint) = &settings.otlp_endpoint
        && let Err(told) = trace::is_possible(endpoint)
    {
        found.push(Obstacle::Refused(told));
    }
    if let Err(told) = settings.refuse_to_be_open(keys == 0) {
        found.push(Obstacle::Refused(told));
    }
    if let Err(error) = listen(settings.bind) {
        let told = not_listening(settings.bind, &error);
        let taken = error.kind() == std::io::ErrorKind::AddrInUse;
        found.push(if taken {
            Obstacle::Taken(told)
        } else {
            Obstacle::Refused(told)
        });
    }
    found
}
