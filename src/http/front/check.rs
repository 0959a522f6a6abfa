//! What would keep a service from starting, told before it is started.

use crate::http::edge::keys::Keys;
use crate::http::edge::settings::Settings;
use crate::http::edge::{log, trace};
use crate::http::front::service::listen;

/// Something about the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The service would not start.
    Refused(String),
    /// It would not start now: somebody, perhaps this service, listens there already.
    Taken(String),
}

/// What is wrong with the settings, the store left out of account: it has `keys` keys.
pub fn obstacles(settings: &Settings, keys: i64) -> Vec<Obstacle> {
    let mut found = Vec::new();
    if let Err(told) = log::filter(&settings.log) {
        found.push(Obstacle::Refused(told));
    }
    if let Some(Err(told)) = settings.keys.as_deref().map(Keys::read) {
        found.push(Obstacle::Refused(told.to_string()));
    }
    if let Some(endpoint) = &settings.otlp_endpoint
        && let Err(told) = trace::is_possible(endpoint)
    {
        found.push(Obstacle::Refused(told.to_string()));
    }
    if let Err(told) = settings.refuse_to_be_open(keys == 0) {
        found.push(Obstacle::Refused(told.to_string()));
    }
    if let Err(error) = listen(settings.bind) {
        let told = error.to_string();
        let taken = error.kind() == std::io::ErrorKind::AddrInUse;
        found.push(if taken {
            Obstacle::Taken(told)
        } else {
            Obstacle::Refused(told)
        });
    }
    found
}
