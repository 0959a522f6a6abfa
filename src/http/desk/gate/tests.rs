//! Whether it is fair.

use crate::exchange::Work;
use crate::http::desk::gate::{Gate, Gone, Lane, Task, presence};
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::Result;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_mins(1);

fn caller(name: &str) -> Caller {
    Caller::Key(name.to_owned())
}

/// Works until it has had so much of a slot; whether it was let to.
fn works(task: &Arc<Task>, time: Duration) -> bool {
    let begun = Instant::now();
    let mut had = Duration::ZERO;
    while had < time && begun.elapsed() < LONG {
        let before = Instant::now();
        thread::sleep(Duration::from_micros(600));
        had += before.elapsed();
        if !task.goes_on() {
            return false;
        }
    }
    true
}

async fn enter(gate: &Arc<Gate>, who: &str, lane: Lane) -> Result<Arc<Task>> {
    let gone = Gone::default();
    gate.enter(&caller(who), lane, LONG, &gone).await
}

#[actix_web::test]
async fn short_work_goes_before_long_and_who_had_less_before_who_had_more() {
    let gate = Gate::new(1, 8, LONG);
    let hostile = enter(&gate, "hostile", Lane::Single).await.unwrap();
    let long = thread::spawn(move || {
        let begun = Instant::now();
        assert!(works(&hostile, Duration::from_millis(400)));
        drop(hostile);
        begun.elapsed()
    });
    thread::sleep(Duration::from_millis(30));
    let mut waits = Vec::new();
    for _ in 0..20 {
        let begun = Instant::now();
        let honest = enter(&gate, "honest", Lane::Single).await.unwrap();
        waits.push(begun.elapsed());
        assert!(works(&honest, Duration::from_millis(2)));
    }
    waits.sort();
    assert!(waits[10] < Duration::from_millis(50), "{waits:?}");
    assert!(!long.is_finished(), "the long work had to make room");
    assert!(long.join().unwrap() > Duration::from_millis(400));
    assert_eq!(
        (gate.running(), gate.suspended(), gate.waiting()),
        (0, 0, 0)
    );
}

#[actix_web::test]
async fn long_work_is_shared_between_callers_not_between_requests() {
    let gate = Gate::new(1, 64, LONG);
    let had: Arc<[AtomicUsize; 2]> = Arc::default();
    let mut threads = Vec::new();
    // One asks for eight things at once, the other for one.
    for (who, count) in [(0, 8), (1, 1)] {
        for _ in 0..count {
            let (gate, had) = (Arc::clone(&gate), Arc::clone(&had));
            threads.push(thread::spawn(move || {
                let entered = async move {
                    let gone = Gone::default();
                    let name = ["many", "one"][who];
                    gate.enter(&caller(name), Lane::Single, LONG, &gone).await
                };
                let task = actix_web::rt::System::new().block_on(entered).unwrap();
                let begun = Instant::now();
                while begun.elapsed() < Duration::from_millis(600) {
                    thread::sleep(Duration::from_millis(1));
                    had[who].fetch_add(1, Ordering::Relaxed);
                    assert!(task.goes_on());
                }
            }));
        }
    }
    for thread in threads {
        thread.join().unwrap();
    }
    let [many, one] = [0, 1].map(|who| had[who].load(Ordering::Relaxed));
    assert!(one * 4 > many, "{one} against {many}");
}

#[actix_web::test]
async fn a_slot_is_kept_for_single_rulings_as_long_as_they_are_asked_for() {
    let gate = Gate::new(2, 8, Duration::from_millis(50));
    let first = enter(&gate, "batch", Lane::Line).await.unwrap();
    let second = enter(&gate, "batch", Lane::Line).await.unwrap();
    assert_eq!(gate.running(), 2, "nobody else is there");
    let full = enter(&gate, "honest", Lane::Single).await.unwrap_err();
    assert_eq!(
        full.code(),
        "queue_timeout",
        "lines look around of themselves"
    );
    thread::sleep(Duration::from_millis(1));
    let asked = enter(&gate, "honest", Lane::Single);
    let leaves = thread::spawn(move || {
        let went_on = second.goes_on();
        drop(second);
        went_on
    });
    let single = asked.await.unwrap();
    drop(single);
    assert!(
        leaves.join().unwrap(),
        "it went on once none was asked for any more"
    );
    drop(first);
    assert_eq!((gate.running(), gate.suspended()), (0, 0));
}

#[actix_web::test]
async fn who_fills_the_queue_is_turned_away_first() {
    let gate = Gate::new(1, 3, LONG);
    let holds = enter(&gate, "hostile", Lane::Single).await.unwrap();
    let hostile: Vec<_> = (0..4)
        .map(|_| {
            let gate = Arc::clone(&gate);
            actix_web::rt::spawn(async move { enter(&gate, "hostile", Lane::Single).await })
        })
        .collect();
    actix_web::rt::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(gate.waiting(), 3);
    let waits = Arc::clone(&gate);
    let honest = actix_web::rt::spawn(async move { enter(&waits, "honest", Lane::Single).await });
    actix_web::rt::time::sleep(Duration::from_millis(100)).await;
    drop(holds);
    assert!(honest.await.unwrap().is_ok());
    let mut refused = 0;
    for one in hostile {
        refused += usize::from(one.await.unwrap().is_err_and(|e| e.code() == "queue_full"));
    }
    assert_eq!(refused, 2);
    assert_eq!((gate.running(), gate.waiting()), (0, 0));
}

#[actix_web::test]
async fn who_is_pushed_out_of_a_full_queue_had_not_begun() {
    let gate = Gate::new(1, 4, LONG);
    // One's work has begun, lets another go first while it only waits, and waits for its next turn.
    let begun = enter(&gate, "many", Lane::Single).await.unwrap();
    let (go, gone_aside) = std::sync::mpsc::channel();
    let aside = thread::spawn(move || {
        begun.aside(|| gone_aside.recv().unwrap());
        drop(begun);
    });
    while gate.running() > 0 {
        thread::sleep(Duration::from_millis(1));
    }
    let other = enter(&gate, "other", Lane::Single).await.unwrap();
    let waiting = |who: &str| {
        let (gate, who) = (Arc::clone(&gate), who.to_owned());
        actix_web::rt::spawn(async move { enter(&gate, &who, Lane::Single).await.is_ok() })
    };
    let many: Vec<_> = (0..4).map(|_| waiting("many")).collect();
    actix_web::rt::time::sleep(Duration::from_millis(50)).await;
    go.send(()).unwrap();
    actix_web::rt::time::sleep(Duration::from_millis(50)).await;
    // The last of his that waits is that work: what gives way is a request.
    let fair: Vec<_> = (0..2).map(|_| waiting("fair")).collect();
    actix_web::rt::time::sleep(Duration::from_millis(50)).await;
    assert_eq!((gate.waiting(), gate.suspended()), (4, 1));
    drop(other);
    let mut let_in = 0;
    for request in many {
        let_in += usize::from(request.await.unwrap());
    }
    for request in fair {
        assert!(request.await.unwrap());
    }
    aside.join().unwrap();
    assert_eq!(let_in, 2);
    assert_eq!(
        (gate.running(), gate.suspended(), gate.waiting()),
        (0, 0, 0)
    );
}

#[actix_web::test]
async fn work_that_takes_too_long_is_broken_off_and_the_next_is_not() {
    let gate = Gate::new(1, 8, LONG);
    let (present, gone) = presence();
    let deadline = Duration::from_millis(30);
    let task = gate
        .enter(&caller("a"), Lane::Line, deadline, &gone)
        .await
        .unwrap();
    assert!(!works(&task, Duration::from_millis(200)));
    assert_eq!(task.is_whole().unwrap_err().code(), "deadline");
    task.next(LONG);
    assert!(task.is_whole().is_ok() && works(&task, Duration::from_millis(5)));
    drop(present);
    assert!(!task.goes_on() && task.is_whole().is_err());
}

#[test]
fn work_that_would_spread_is_called_off_on_whatever_thread_it_is() {
    let expanded = AtomicUsize::new(0);
    let (present, gone) = presence();
    let task = Task::begun(None, &caller("a"), Lane::Single, None, &gone);
    let search = |_| {
        let work = Work::free(Some(&*task));
        let mut budget = work.budget(10_000);
        let found = (0..10_000).take_while(|_| budget.take()).count();
        expanded.fetch_add(found, Ordering::Relaxed);
    };
    let all = || (0..8).into_par_iter().for_each(search);
    task.alone(all).unwrap();
    assert_eq!(expanded.swap(0, Ordering::Relaxed), 80_000);
    assert!(
        (70_000..=90_000).contains(&task.expanded()),
        "{}",
        task.expanded()
    );
    drop(present);
    task.alone(all).unwrap_err();
    let expanded = expanded.into_inner();
    assert!(expanded < 8 * 1000, "{expanded}");
}
