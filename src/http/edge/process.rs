//! What the process takes up, under the names that every exporter gives it: as Linux tells it under
//! `/proc`, and nothing elsewhere.

use crate::http::edge::metrics::single;
use rlimit::Resource;
use std::fs;

/// Ticks a second in what Linux tells: the same on every machine, whatever its clock.
const TICKS: f64 = 100.0;

/// Writes what can be found out.
pub fn write(out: &mut String) {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let system = fs::read_to_string("/proc/stat").unwrap_or_default();
    let files = fs::read_dir("/proc/self/fd").ok().map(Iterator::count);
    let most = Resource::NOFILE.get().ok().map(|(soft, _)| soft);
    #[expect(clippy::cast_precision_loss, reason = "far fewer than that")]
    let gauges = [
        (
            "process_start_time_seconds",
            "When the process began, in seconds since 1970.",
            begun(&stat, &system),
        ),
        (
            "process_resident_memory_bytes",
            "Memory in use.",
            kilobytes(&status, "VmRSS:"),
        ),
        (
            "process_virtual_memory_bytes",
            "Memory set aside.",
            kilobytes(&status, "VmSize:"),
        ),
        ("process_threads", "Threads.", field(&status, "Threads:")),
        (
            "process_open_fds",
            "Files and connections open.",
            // One of them is open to count them.
            files.map(|count| count.saturating_sub(1) as f64),
        ),
        (
            "process_max_fds",
            "Files and connections that may be open.",
            most.map(|most| most as f64),
        ),
    ];
    let name = "process_cpu_seconds_total";
    if let Some(seconds) = processor(&stat) {
        single(out, name, "counter", "Processor time used.", seconds);
    }
    for (name, told, value) in gauges {
        if let Some(value) = value {
            single(out, name, "gauge", told, value);
        }
    }
}

/// The number of a field of `/proc/self/stat`, counted from the state, which is behind the name.
fn counted(stat: &str, at: usize) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(at)?.parse().ok()
}

fn processor(stat: &str) -> Option<f64> {
    Some((counted(stat, 11)? + counted(stat, 12)?) / TICKS)
}

fn begun(stat: &str, system: &str) -> Option<f64> {
    Some(field(system, "btime ")? + counted(stat, 19)? / TICKS)
}

fn field(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn kilobytes(status: &str, name: &str) -> Option<f64> {
    field(status, name).map(|kilobytes| kilobytes * 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_linux_tells_is_read() {
        let stat =
            "4711 (a name) of it) S 1 1 1 0 -1 4194560 10 0 0 0 250 150 0 0 20 0 9 0 6000 1 2";
        assert_eq!(processor(stat), Some(4.0));
        assert_eq!(
            begun(stat, "cpu 1 2\nbtime 1700000000\n"),
            Some(1_700_000_060.0)
        );
        let status = "Name:\tqili\nVmSize:\t    2048 kB\nVmRSS:\t    1024 kB\nThreads:\t9\n";
        assert_eq!(kilobytes(status, "VmRSS:"), Some(1_048_576.0));
        assert_eq!(field(status, "Threads:"), Some(9.0));
        for text in ["", "4711 (", "4711 (qili)", "4711 (qili) S 1"] {
            assert_eq!((processor(text), begun(text, text)), (None, None));
        }
    }
}
