//! The service as a whole, and its start and end.

use crate::http::desk::state::State;
use crate::http::edge::settings::{Settings, StartError};
use crate::http::edge::{log, trace};
use crate::http::front::{around, description, routes};
use crate::http::resources::pages::{self, Description};
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::rt::System;
use actix_web::{App, Error, HttpServer, middleware, web};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// The application: every route, with all that stands around them.
pub fn app(
    state: Arc<State>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<BoxBody>,
        Error = Error,
        InitError = (),
    >,
> {
    let routed = Arc::clone(&state);
    App::new()
        .app_data(web::Data::from(state))
        .app_data(web::Data::new(Description(description::json)))
        .configure(move |config| routes::configure(config, &routed))
        .default_service(web::to(routes::nothing_here))
        .wrap(middleware::from_fn(around::around))
}

/// Serves until it is told to end (SIGTERM or SIGINT), then finishes what runs.
///
/// # Errors
/// The service could not start.
pub fn serve(settings: Settings) -> Result<(), StartError> {
    let endpoint = settings.otlp_endpoint.as_deref();
    let exporter = endpoint.map(trace::exporter).transpose()?;
    log::start(&settings.log, exporter.as_ref()).map_err(StartError)?;
    let state = Arc::new(State::new(settings)?);
    let served = System::new().block_on(serve_with(state));
    if let Some(exporter) = exporter {
        exporter.end();
    }
    log::Log::global().flush();
    served.map_err(|error| StartError(error.to_string()))
}

async fn serve_with(state: Arc<State>) -> std::io::Result<()> {
    let settings = &state.settings;
    let shared = Arc::clone(&state);
    let server = HttpServer::new(move || app(Arc::clone(&shared)))
        .workers(settings.workers.max(1))
        .client_request_timeout(Duration::from_secs(10))
        .client_disconnect_timeout(Duration::from_secs(2))
        .keep_alive(Duration::from_secs(75))
        // A caller that hangs up is gone, and what was done for it ends.
        .h1_allow_half_closed(false)
        .shutdown_timeout(settings.grace)
        .disable_signals()
        .bind(settings.bind)
        .map_err(|error| {
            std::io::Error::new(
                error.kind(),
                format!("cannot listen on {}: {error}", settings.bind),
            )
        })?;
    for address in server.addrs() {
        tracing::info!(target: "qili::http", %address, version = env!("CARGO_PKG_VERSION"), "listening");
    }
    if settings.yardsticks {
        let mut bare = settings.bind;
        bare.set_port(bare.port() + 1);
        let empty = || App::new().route("/", web::to(pages::nothing));
        actix_web::rt::spawn(
            HttpServer::new(empty)
                .workers(settings.workers.max(1))
                .bind(bare)?
                .run(),
        );
    }
    let running = server.run();
    let handle = running.handle();
    let mut ends = [
        signal(SignalKind::terminate())?,
        signal(SignalKind::interrupt())?,
    ];
    let stopping = Arc::clone(&state);
    actix_web::rt::spawn(async move {
        let [terminate, interrupt] = &mut ends;
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        tracing::info!(target: "qili::http", "stopping");
        stopping.stopping.store(true, Ordering::Relaxed);
        handle.stop(true).await;
    });
    let ended = running.await;
    if let Some(store) = &state.store {
        store.close().await;
    }
    ended
}
