//! `qili health`: whether a service on this machine answers, for containers that have no other program.

use super::out::Out;
use super::{Failure, Status};
use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// How long the service may take.
const WAIT: Duration = Duration::from_secs(4);

/// Ask a service on this machine whether it gives rulings: `GET /readyz/judging`
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "The status is 0 where it does, 1 where it does not.")]
pub(super) struct Args {
    /// The address it listens on
    #[arg(
        long,
        env = "QILI_BIND",
        value_name = "ADDR",
        default_value = "127.0.0.1:8080"
    )]
    bind: SocketAddr,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let mut address = args.bind;
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    let answer = ask(address).map_err(|error| Failure::Bad(format!("{address}: {error}")))?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    out.line(body.trim_end())?;
    Ok(Status::of(head.starts_with("HTTP/1.1 200 ")))
}

fn ask(address: SocketAddr) -> std::io::Result<String> {
    /// An answer is shorter than this.
    const MOST: u64 = 64 << 10;
    let mut stream = TcpStream::connect_timeout(&address, WAIT)?;
    stream.set_read_timeout(Some(WAIT))?;
    stream.set_write_timeout(Some(WAIT))?;
    let request =
        format!("GET /readyz/judging HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(MOST).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
