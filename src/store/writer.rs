//! The one that writes rulings: whatever waits goes into one transaction, and nobody is told of
//! his number before it is on the disk.

use super::error::{Result, StoreError};
use super::link::{Kind, Link};
use super::refusals::{self, Refusal};
use super::rulings::{self, Kept, Numbered};
use super::store_of::{Shared, late};
use sqlx::pool::PoolConnection;
use sqlx::{Any, Connection as _};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// Rulings one transaction takes.
const GROUP: usize = 256;
/// Bytes of rulings after which no more are taken into one.
const GROUP_BYTES: usize = 8 << 20;
/// How a fault of the writer begins.
pub(super) const COULD_NOT: &str = "could not be written: ";

/// An error of writing, told as one.
pub(super) fn could_not(error: StoreError) -> StoreError {
    if let StoreError::Unavailable(fault) = error {
        return StoreError::Unavailable(format!("{COULD_NOT}{fault}"));
    }
    error
}

/// Something to be written.
#[derive(Debug)]
pub(super) enum Write {
    Ruling(Box<Numbered>, oneshot::Sender<Result<Kept>>),
    Refusal(Box<Refusal>),
    End(oneshot::Sender<()>),
}

type Asked = (Box<Numbered>, oneshot::Sender<Result<Kept>>);

/// What is to go into one transaction.
#[derive(Default)]
struct Group {
    rulings: Vec<Asked>,
    refusals: Vec<Refusal>,
    bytes: usize,
    ends: Vec<oneshot::Sender<()>>,
}

impl Group {
    fn take(&mut self, write: Write) {
        match write {
            // Who has left is owed nothing, and has been told that nothing is certain.
            Write::Ruling(_, tell) if tell.is_closed() => {}
            Write::Ruling(ruling, tell) => {
                self.bytes += ruling.size();
                self.rulings.push((ruling, tell));
            }
            Write::Refusal(refusal) => self.refusals.push(*refusal),
            Write::End(tell) => self.ends.push(tell),
        }
    }

    fn has_room(&self) -> bool {
        self.rulings.len() + self.refusals.len() < GROUP && self.bytes < GROUP_BYTES
    }
}

/// The connection it writes on, and the books it has seen there.
#[derive(Default)]
struct Hand {
    link: Option<Arc<Link>>,
    connection: Option<PoolConnection<Any>>,
    books: HashSet<String>,
    noted: usize,
}

/// Writes until there is nobody left to write for.
pub(super) async fn run(shared: Arc<Shared>, mut waiting: mpsc::Receiver<Write>) {
    let mut hand = Hand::default();
    while let Some(write) = waiting.recv().await {
        let mut group = Group::default();
        group.take(write);
        while group.has_room()
            && let Ok(write) = waiting.try_recv()
        {
            group.take(write);
        }
        hand.write(&shared, group).await;
    }
}

impl Hand {
    async fn write(&mut self, shared: &Shared, group: Group) {
        let Group {
            rulings,
            refusals,
            ends,
            ..
        } = group;
        if !rulings.is_empty() || !refusals.is_empty() {
            let (rulings, tells): (Vec<_>, Vec<_>) = rulings.into_iter().unzip();
            match self.commit(shared, &rulings, &refusals).await {
                Ok(kept) => {
                    shared.counts.groups.fetch_add(1, Relaxed);
                    for (tell, kept) in tells.into_iter().zip(kept) {
                        tell.send(Ok(kept)).ok();
                    }
                }
                // One of them is at fault: each goes by itself.
                Err(error) if !error.passes() && rulings.len() + refusals.len() > 1 => {
                    for (ruling, tell) in rulings.iter().zip(tells) {
                        let kept = self.commit(shared, std::slice::from_ref(ruling), &[]).await;
                        tell.send(kept.and_then(|kept| kept.into_iter().next().ok_or_else(late)))
                            .ok();
                    }
                    for refusal in &refusals {
                        self.commit(shared, &[], std::slice::from_ref(refusal))
                            .await
                            .ok();
                    }
                }
                Err(error) => {
                    for tell in tells {
                        tell.send(Err(error.clone())).ok();
                    }
                }
            }
        }
        for end in ends {
            self.connection = None;
            end.send(()).ok();
        }
    }

    /// All or none of them in one transaction, on the disk when this returns.
    async fn commit(
        &mut self,
        shared: &Shared,
        rulings: &[Box<Numbered>],
        refusals: &[Refusal],
    ) -> Result<Vec<Kept>> {
        let mut done = self.try_commit(shared, rulings, refusals).await;
        // A connection that was lost while it lay idle is no reason to refuse: what might have
        // been written is found under its number.
        if done.as_ref().is_err_and(StoreError::passes) && shared.place.kind == Kind::Postgres {
            done = self.try_commit(shared, rulings, refusals).await;
        }
        let done = done.map_err(could_not);
        shared.note(&done);
        if let Ok(kept) = &done {
            let new = kept.iter().filter(|kept| matches!(kept, Kept::New(_)));
            shared.counts.kept.fetch_add(new.count() as u64, Relaxed);
        }
        done
    }

    async fn try_commit(
        &mut self,
        shared: &Shared,
        rulings: &[Box<Numbered>],
        refusals: &[Refusal],
    ) -> Result<Vec<Kept>> {
        let link = shared.link()?;
        if !self
            .link
            .as_ref()
            .is_some_and(|held| Arc::ptr_eq(held, &link))
        {
            *self = Self::default();
            self.link = Some(Arc::clone(&link));
        }
        let work = self.transact(shared, &link, rulings, refusals);
        let done = timeout(shared.place.wait, work)
            .await
            .unwrap_or_else(|_| Err(late()));
        if done.is_err() {
            // Whatever state it is in, it is not used again.
            if let Some(connection) = self.connection.take() {
                drop(connection.detach());
            }
            self.books.clear();
        }
        done
    }

    async fn transact(
        &mut self,
        shared: &Shared,
        link: &Link,
        rulings: &[Box<Numbered>],
        refusals: &[Refusal],
    ) -> Result<Vec<Kept>> {
        let _turn = match link.kind {
            Kind::Sqlite => Some(shared.turn.lock().await),
            Kind::Postgres => None,
        };
        link.in_place()?;
        if self.connection.is_none() {
            self.connection = Some(link.pool.acquire().await?);
        }
        let Some(connection) = self.connection.as_mut() else {
            return Err(late());
        };
        let mut used = rulings.iter().map(|ruling| &ruling.entry.book.digest);
        let known = used.all(|digest| self.books.contains(digest));
        if known && refusals.is_empty() && rulings::are_one_statement(rulings) {
            // One statement is a transaction by itself, and costs one way there and back.
            let kept = rulings::put(connection, rulings).await?;
            link.in_place()?;
            return Ok(kept);
        }
        let mut transaction = connection.begin_with(link.kind.begin()).await?;
        let mut books = Vec::new();
        for ruling in rulings {
            let book = &ruling.entry.book;
            if !self.books.contains(&book.digest) && !books.contains(&book.digest) {
                rulings::put_book(&mut transaction, book).await?;
                books.push(book.digest.clone());
            }
        }
        let kept = rulings::put(&mut transaction, rulings).await?;
        refusals::put(&mut transaction, refusals).await?;
        self.noted += refusals.len();
        if self.noted >= refusals::OFTEN {
            refusals::forget(&mut transaction).await?;
            self.noted = 0;
        }
        transaction.commit().await?;
        // What went into a file that was taken away meanwhile is not kept.
        link.in_place()?;
        self.books.extend(books);
        Ok(kept)
    }
}
