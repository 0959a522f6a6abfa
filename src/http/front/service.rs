//! The service as a whole, and its start and end.

use crate::http::desk::state::State;
use crate::http::edge::connections::Held;
use crate::http::edge::settings::{Settings, StartError};
use crate::http::edge::{log, trace};
use crate::http::front::{around, routes};
use crate::http::resources::pages;
use crate::language::both;
use crate::version::BUILD;
use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol};
use actix_server::Server;
use actix_service::{IntoServiceFactory as _, ServiceFactoryExt as _, fn_service, map_config};
use actix_web::body::BoxBody;
use actix_web::dev::{AppConfig, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::rt::System;
use actix_web::rt::net::TcpStream;
use actix_web::rt::time::sleep;
use actix_web::{App, Error, HttpServer, middleware, web};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// How long the head of a request may take to arrive.
const HEAD: Duration = Duration::from_secs(10);
/// Connections that wait to be accepted.
const BACKLOG: i32 = 2048;

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
        .configure(move |config| routes::configure(config, &routed))
        .default_service(web::to(routes::nothing_here))
        .wrap(middleware::from_fn(around::around))
}

/// Serves until it is told to end (SIGTERM or SIGINT), then finishes what runs.
pub fn serve(settings: Settings) -> Result<(), StartError> {
    let endpoint = settings.otlp_endpoint.as_deref();
    let exporter = endpoint.map(trace::exporter).transpose()?;
    log::start(&settings.log, exporter.as_ref())?;
    let state = Arc::new(State::new(settings)?);
    let served = System::new().block_on(serve_with(state));
    if let Some(exporter) = exporter {
        exporter.end();
    }
    log::flush_at_the_end();
    served
}

async fn serve_with(state: Arc<State>) -> Result<(), StartError> {
    let bind = state.settings.bind;
    let listener = listen(bind).map_err(|error| not_listening(bind, &error))?;
    let served = serve_on(listener, state).await;
    served.map_err(|error| StartError(both!("{error}", "无法提供服务：{error}")))
}

async fn serve_on(listener: TcpListener, state: Arc<State>) -> io::Result<()> {
    let settings = &state.settings;
    let address = listener.local_addr()?;
    let mut builder = Server::build()
        .workers(settings.workers.max(1))
        .max_concurrent_connections(usize::MAX >> 8)
        .shutdown_timeout(settings.grace)
        .disable_signals();
    let (shared, ends) = (Arc::clone(&state), builder.graceful_shutdown_signal());
    builder = builder.listen("qili", listener, move || {
        let (state, ends) = (Arc::clone(&shared), ends.clone());
        let answers = app(Arc::clone(&state))
            .into_factory()
            .map_err(|error: Error| error.error_response());
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let ends = ends.clone();
                async move { ends.notified().await }
            })
            .client_request_timeout(HEAD)
            .client_disconnect_timeout(Duration::from_secs(2))
            .keep_alive(Duration::from_secs(75))
            // A caller that hangs up is gone, and what was done for it ends.
            .h1_allow_half_closed(false)
            .local_addr(address)
            .on_connect_ext(|held: &Held, known| {
                known.insert(held.connection());
            })
            .finish(map_config(answers, |()| AppConfig::default()));
        fn_service(move |io: TcpStream| {
            let held = state.connections.accept(&state.metrics, io);
            async move {
                let protocol = spoken(&held).await?;
                held.io().set_nodelay(true).ok();
                let peer = held.io().peer_addr().ok();
                Ok::<_, DispatchError>((held, protocol, peer))
            }
        })
        .and_then(http)
    })?;
    tracing::info!(target: "qili::http", %address, version = BUILD, "listening");
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
    let running = builder.run();
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
        stopping.stage.stop();
        let drained = sleep(Duration::from_millis(stopping.settings.drain_ms));
        // Whoever asks twice does not want to wait.
        tokio::select! { () = drained => {}, _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        stopping.stage.end();
        handle.stop(true).await;
    });
    let ended = running.await;
    if let Some(store) = &state.store {
        store.close().await;
    }
    ended
}

/// A socket that listens.
///
/// # Errors
/// It cannot: the address is taken, or none of this machine.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    socket2::Socket::new(
        socket2::Domain::for_address(address),
        socket2::Type::STREAM,
        None,
    )
    .and_then(|socket| {
        socket.set_reuse_address(true)?;
        socket.bind(&address.into())?;
        socket.listen(BACKLOG)?;
        Ok(socket.into())
    })
}

/// Why nobody can be heard at an address.
pub fn not_listening(address: SocketAddr, error: &io::Error) -> StartError {
    StartError(both!(
        "cannot listen on {address}: {error}",
        "无法监听{address}：{error}"
    ))
}

/// HTTP/2 where the connection begins as its clients begin with it, by prior knowledge.
async fn spoken(held: &Held) -> Result<Protocol, DispatchError> {
    const HTTP_2: &[u8] = b"PRI * HTTP/2";
    let mut first = [0; HTTP_2.len()];
    // Whoever says nothing is told nothing.
    let broken_off = |kind: io::ErrorKind| DispatchError::Io(kind.into());
    tokio::select! {
        peeked = tokio::time::timeout(HEAD, held.io().peek(&mut first)) => {
            peeked.map_err(|_| broken_off(io::ErrorKind::TimedOut))??;
        }
        () = held.closed() => return Err(broken_off(io::ErrorKind::ConnectionAborted)),
    }
    Ok(if first == HTTP_2 {
        Protocol::Http2
    } else {
        Protocol::Http1
    })
}
