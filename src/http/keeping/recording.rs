//! Rulings that are kept: asked for with `record`, or by a key that records always.

use crate::board::Side;
use crate::http::desk::judging;
use crate::http::desk::state::State;
use crate::http::desk::work::json;
use crate::http::edge::keys::{Asker, Scope, asker, name_of, not_allowed};
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::{Answer, ApiError, Result};
use crate::language::{Text, both};
use crate::rules::{LoadedBook, Outcome};
use crate::store::{Entry, Idempotency, Kept, Number, Refusal, Store};
use crate::version::BUILD;
use crate::wire::{Details, Record, Request, Word};
use crate::written::hex;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Bytes of a refused request that are noted.
const NOTED: usize = 4 << 10;
/// Characters of an `Idempotency-Key`.
const LONGEST_WORD: usize = 255;

/// A request whose ruling was to be kept, as far as it is noted if it is refused.
struct ToBeKept(Bytes);

/// What is kept of the verdict by itself.
#[derive(Deserialize)]
struct Ruled {
    verdict: Verdict,
}

#[derive(Deserialize)]
struct Verdict {
    outcome: Outcome,
    side: Option<Side>,
}

/// What is told where there is no store.
fn nothing_kept() -> Text {
    both!("this service keeps nothing", "此服务不保存任何内容")
}

/// What is answered where there is no store.
pub fn no_store() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "no_store", nothing_kept())
}

/// The store.
pub fn store(state: &State) -> Result<&Store> {
    state.store.as_ref().ok_or_else(no_store)
}

fn records_always(asker: Option<&Arc<Asker>>) -> bool {
    asker.is_some_and(|asker| asker.records)
}

/// Who has rulings kept, and under which word.
#[derive(Clone, Debug)]
pub struct Keeper {
    asker: Option<Arc<Asker>>,
    word: Option<HeaderValue>,
    route: String,
    who: Caller,
}

/// What is kept of a request, before its ruling is there.
pub struct Asking {
    caller: String,
    book: Arc<LoadedBook>,
    details: Details,
    idempotency: Option<Idempotency>,
    request: String,
    begun: Instant,
}

impl Keeper {
    /// Who sent a request.
    pub fn of(request: &HttpRequest) -> Self {
        Self {
            asker: asker(request),
            word: request.headers().get("idempotency-key").cloned(),
            route: format!("{} {}", request.method(), request.path()),
            who: Caller::of(request),
        }
    }

    /// Whether every ruling is kept.
    pub fn records_always(&self) -> bool {
        records_always(self.asker.as_ref())
    }

    /// The name of who asks; empty where nobody needs a key.
    pub fn caller(&self) -> String {
        name_of(self.asker.as_ref())
    }

    /// What the ruling belongs to, if it is to be kept.
    ///
    /// # Errors
    /// The key does not allow it.
    pub fn wanted(&self, asked: &mut Request) -> Result<Option<Details>> {
        let always = self.records_always();
        let Some(details) = asked.record.take().and_then(Record::into_details) else {
            return Ok(always.then(Details::default));
        };
        let by = self.asker.as_ref();
        if by.is_some_and(|by| !always && !by.may(Scope::Write)) {
            return Err(not_allowed(Scope::Write).at("/record"));
        }
        Ok(Some(details))
    }

    /// The caller's word for this very request, or for a part of it.
    pub fn word(&self, body: &[u8], part: Option<u64>) -> Result<Option<Idempotency>> {
        let Some(header) = &self.word else {
            return Ok(None);
        };
        let fits = |key: &&str| !key.is_empty() && key.len() <= LONGEST_WORD;
        let Some(key) = header.to_str().ok().filter(fits) else {
            let status = StatusCode::BAD_REQUEST;
            return Err(ApiError::new(
                status,
                "bad_idempotency_key",
                both!(
                    "an Idempotency-Key has 1 to {LONGEST_WORD} visible characters",
                    "Idempotency-Key 应为1至{LONGEST_WORD}个可见字符"
                ),
            ));
        };
        Ok(Some(Idempotency {
            key: part.map_or_else(|| key.to_owned(), |part| format!("{key}#{part}")),
            body: hex(&Sha256::digest(body)),
        }))
    }

    /// What is kept of a request that makes sense.
    ///
    /// # Errors
    /// Its book only tries a parameter: what nobody has laid down rules nothing that is kept.
    pub fn asking(
        &self,
        book: &Arc<LoadedBook>,
        canonical: &Request,
        details: Details,
        idempotency: Option<Idempotency>,
        begun: Instant,
    ) -> Result<Asking> {
        if book.book.is_trial() {
            let id = &book.book.id;
            return Err(ApiError::unprocessable(
                "trial_book",
                "/rules",
                both!(
                    "`{id}` only tries a parameter: nothing ruled under it is kept; write an amendment and keep it as a draft",
                    "“{id}”只是试改参数，其裁决不存档；要存档，请写成修订并存为草案"
                ),
            ));
        }
        Ok(Asking {
            caller: self.caller(),
            book: Arc::clone(book),
            details,
            idempotency,
            request: serde_json::to_string(canonical).map_err(|_| ApiError::broken())?,
            begun,
        })
    }

    /// Notes a request that was refused or failed and whose ruling was to be kept.
    pub fn note(
        &self,
        state: &State,
        (status, code): (u16, &str),
        detail: &str,
        request: Option<&[u8]>,
    ) {
        let Some(store) = &state.store else { return };
        let Ok(number) = Number::new() else {
            store.counts().unnoted.fetch_add(1, Relaxed);
            return;
        };
        let noted = |text: &[u8]| {
            let text = text.get(..NOTED).unwrap_or(text);
            String::from_utf8_lossy(text).into_owned()
        };
        store.note_refusal(Refusal {
            number,
            caller: self.caller(),
            route: self.route.clone(),
            status,
            code: code.to_owned(),
            detail: detail.to_owned(),
            request: request.map(noted),
        });
    }

    /// Notes what is told of a part of a request.
    pub fn note_error(&self, state: &State, error: &ApiError, part: &[u8]) {
        let told = (error.status().as_u16(), error.code());
        self.note(state, told, &error.to_string(), Some(part));
    }
}

impl Asking {
    /// With the ruling that was given.
    pub fn entry(self, ruling: String) -> Result<Entry> {
        let ruled: Ruled = serde_json::from_str(&ruling).map_err(|_| ApiError::broken())?;
        Ok(Entry {
            caller: self.caller,
            book: self.book,
            engine: BUILD.to_owned(),
            outcome: ruled.verdict.outcome,
            side: ruled.verdict.side.map(Side::id),
            details: self.details,
            latency_us: u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX),
            idempotency: self.idempotency,
            request: self.request,
            ruling,
        })
    }
}

/// Whether a ruling asked for so might have to be kept: its text is not read more closely yet.
pub fn concerns(request: &HttpRequest, text: &[u8]) -> bool {
    let names = |window: &[u8]| window == b"record" || window == b"\\u00";
    records_always(asker(request).as_ref())
        || text.windows(6).any(|window| window == b"record")
        || text.windows(4).any(names)
}

/// The store, for rulings that are to be kept.
pub fn store_to_keep(state: &State) -> Result<&Store> {
    let none = || ApiError::unprocessable("no_store", "/record", nothing_kept());
    state.store.as_ref().ok_or_else(none)
}

/// Has a request noted if it is refused: its ruling is to be kept.
pub fn mark(request: &HttpRequest, text: &Bytes) {
    let noted = text.slice(..text.len().min(NOTED));
    request.extensions_mut().insert(ToBeKept(noted));
}

/// The ruling on a request whose ruling may have to be kept.
pub async fn judge(state: &Arc<State>, request: &HttpRequest, text: Bytes) -> Answer {
    let begun = Instant::now();
    let mut asked = judging::read(&text)?;
    let keeper = Keeper::of(request);
    let Some(details) = keeper.wanted(&mut asked)? else {
        return Ok(json(
            judging::answer(state, &keeper.who, judging::prepare(state, asked)?).await?,
        ));
    };
    mark(request, &text);
    judge_and_keep(state, &keeper, asked, details, &text, begun).await
}

/// The same for a request made of something else than a body.
pub async fn judge_always(
    state: &Arc<State>,
    request: &HttpRequest,
    asked: &Request,
) -> Result<Option<HttpResponse>> {
    let keeper = Keeper::of(request);
    if !keeper.records_always() {
        return Ok(None);
    }
    let text = Bytes::copy_from_slice(request.query_string().as_bytes());
    mark(request, &text);
    let (asked, begun) = (asked.clone(), Instant::now());
    let kept = judge_and_keep(state, &keeper, asked, Details::default(), &text, begun);
    kept.await.map(Some)
}

async fn judge_and_keep(
    state: &Arc<State>,
    keeper: &Keeper,
    asked: Request,
    details: Details,
    body: &[u8],
    begun: Instant,
) -> Answer {
    let store = store_to_keep(state)?;
    let word = keeper.word(body, None)?;
    if let Some(word) = &word {
        let before = store.ruling_by_word(&keeper.caller(), &word.key).await;
        if let Some(Kept::Before(number, used)) = before? {
            let (number, ruling) = again(store, number, &used, word).await?;
            return Ok(numbered(number, ruling));
        }
    }
    let asked = judging::prepare(state, asked)?;
    let asking = keeper.asking(asked.book(), &asked.canonical(), details, word, begun)?;
    let ruling = judging::answer(state, &keeper.who, asked).await?;
    let ruling = String::from_utf8(ruling.to_vec()).map_err(|_| ApiError::broken())?;
    let (number, ruling) = keep(store, asking.entry(ruling)?, false).await?;
    Ok(numbered(number, ruling))
}

/// Keeps a ruling: its number, and what it says. `in_turn` waits for a place in the queue.
pub async fn keep(store: &Store, mut entry: Entry, in_turn: bool) -> Result<(Number, String)> {
    if let Some(number) = entry.details.supersedes.take() {
        entry.details.supersedes = Some(superseded(store, &number).await?);
    }
    let (word, ruling) = (entry.idempotency.clone(), entry.ruling.clone());
    let kept = if in_turn {
        store.keep_in_turn(entry).await
    } else {
        store.keep(entry).await
    };
    match kept? {
        Kept::New(number) => Ok((number, ruling)),
        Kept::Before(number, used) => {
            let word = word.ok_or_else(ApiError::broken)?;
            again(store, number, &used, &word).await
        }
    }
}

/// The answer that was given before under the same word.
async fn again(
    store: &Store,
    number: Number,
    used: &Idempotency,
    word: &Idempotency,
) -> Result<(Number, String)> {
    if used.body != word.body {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return Err(ApiError::new(
            status,
            "idempotency_key_reused",
            both!(
                "this Idempotency-Key was used for another request",
                "该 Idempotency-Key 已用于另一请求"
            ),
        ));
    }
    let kept = store.ruling(number).await?;
    let kept = kept.ok_or_else(ApiError::broken)?;
    Ok((number, kept.ruling))
}

/// The number of a ruling that a request takes the place of.
async fn superseded(store: &Store, number: &Word) -> Result<Word> {
    let known = match number.as_str().parse::<Number>() {
        Ok(number) => store.has_ruling(number).await?.then_some(number),
        Err(_) => None,
    };
    let unknown = || {
        let number = number.as_str();
        ApiError::unprocessable(
            "unknown_ruling",
            "/record/supersedes",
            both!(
                "there is no ruling `{number}`",
                "没有编号为“{number}”的裁决"
            ),
        )
    };
    known
        .and_then(|known| Word::new(&known.to_string()))
        .ok_or_else(unknown)
}

fn numbered(number: Number, ruling: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::LOCATION, format!("/v1/rulings/{number}")))
        .insert_header(("qili-ruling-number", number.to_string()))
        .body(ruling)
}

/// Notes a request that was refused or failed, if its ruling was to be kept.
pub fn note_refused(state: &State, request: &HttpRequest, status: u16, code: &str, detail: &str) {
    let noted = request
        .extensions()
        .get::<ToBeKept>()
        .map(|text| text.0.clone());
    let rulings = request.path().starts_with("/v1/rulings");
    if noted.is_some() || (rulings && records_always(asker(request).as_ref())) {
        Keeper::of(request).note(state, (status, code), detail, noted.as_deref());
    }
}
