//! A bar on standard error: how far, how fast, how long still. And the first rejections.

use super::super::Lang;
use super::super::out::complain;
use crate::archive::{Rejection, Watch};
use crate::language::told;
use crate::record::Fault;
use crate::written::plain;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Rejections told on standard error; all of them are in the output.
const TOLD: u64 = 10;

pub(super) struct Progress {
    bar: ProgressBar,
    bytes: Option<Arc<AtomicU64>>,
    before: u64,
    games: u64,
    rejected: u64,
    passed: u64,
    lang: Lang,
}

impl Progress {
    /// Over so many bytes, of which `before` were read by an earlier run.
    pub(super) fn over_bytes(
        total: Option<u64>,
        before: u64,
        bytes: Arc<AtomicU64>,
        lang: Lang,
    ) -> Self {
        let bar = match total {
            Some(total) => styled(
                ProgressBar::new(total),
                "{bar:30} {percent:>3}% {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} {msg}",
            ),
            None => styled(ProgressBar::new_spinner(), "{spinner} {elapsed} {msg}"),
        };
        bar.set_position(before);
        bar.reset_eta();
        Self::new(bar, Some(bytes), before, lang)
    }

    /// Over so many games.
    pub(super) fn over_games(total: u64, lang: Lang) -> Self {
        let bar = styled(
            ProgressBar::new(total),
            "{bar:30} {percent:>3}% {pos}/{len} {per_sec} {eta}",
        );
        Self::new(bar, None, 0, lang)
    }

    const fn new(bar: ProgressBar, bytes: Option<Arc<AtomicU64>>, before: u64, lang: Lang) -> Self {
        Self {
            bar,
            bytes,
            before,
            games: 0,
            rejected: 0,
            passed: 0,
            lang,
        }
    }

    /// Leaves standard error as it was.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
        if self.passed > TOLD {
            let more = self.passed - TOLD;
            complain(&told!(self.lang;
                "另有{more}个文件不是棋谱";
                "{more} more files are no records"));
        }
        if self.rejected > TOLD {
            let more = self.rejected - TOLD;
            complain(&told!(self.lang;
                "另有{more}局不能裁，均在输出中";
                "{more} more games were rejected; every one is in the output"));
        }
    }
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    bar.enable_steady_tick(Duration::from_millis(250));
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Watch for Progress {
    fn games(&mut self, games: u64) {
        self.games += games;
        match &self.bytes {
            None => self.bar.set_position(self.games),
            Some(bytes) => {
                self.bar
                    .set_position(self.before + bytes.load(Ordering::Relaxed));
                let millis = u64::try_from(self.bar.elapsed().as_millis()).unwrap_or(u64::MAX);
                let rate = self.games.saturating_mul(1000) / millis.max(1);
                self.bar.set_message(told!(self.lang;
                    "{}局，每秒{rate}局", self.games;
                    "{} games, {rate}/s", self.games));
            }
        }
    }

    fn passed(&mut self, file: &str, fault: &Fault) {
        self.passed += 1;
        if self.passed <= TOLD {
            let told = self.lang.pick(fault.kind.zh(), fault.kind.to_string());
            self.bar.suspend(|| complain(&format!("{file}: {told}")));
        }
    }

    fn rejected(&mut self, rejection: &Rejection) {
        self.rejected += 1;
        if self.rejected > TOLD {
            return;
        }
        let error = &rejection.error;
        let told = self.lang.pick(&error.detail_zh, &error.detail);
        let place = &rejection.place;
        let id = plain(&rejection.id);
        let told = match place.line {
            Some(line) => format!("{}:{line}: {id}: {told}", place.file),
            None => format!("{}: {id}: {told}", place.file),
        };
        self.bar.suspend(|| complain(&told));
    }
}
