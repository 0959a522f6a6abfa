//! Certificates, checked.

use crate::http::desk::books::book_certified;
use crate::http::desk::state::State;
use crate::http::desk::work::answer;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{BodyFailures, Busy, Failures};
use crate::http::edge::problem::Answer;
use crate::wire::{Certified, bounded_certificate};
#[cfg(feature = "openapi")]
use crate::wire::{Proved, Verification};
use actix_web::HttpRequest;
use actix_web::web::{Data, Payload};

/// Verify a certificate
///
/// What a ruling has as `proof` where `explain` is `proof`. Its natures, situation and verdict are proved by the numbers it has,
/// under the book it names; or the first claim that is not is told, with its place. Nothing is searched, and nothing of how
/// rulings are made is trusted: what it takes grows with the length of the proof.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "verify_proof", path = "/v1/proofs:verify", tag = "rulings", request_body = Proved, responses(
    (status = 200, description = "Whether it proves what it claims.", body = Verification), BodyFailures, Busy, Failures)))]
pub async fn verify(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let found = answer(state, request, payload, |state, text, _| {
        let certified = Certified::read(text)?;
        bounded_certificate(&certified.proof, state.settings.max_moves)?;
        let loaded = book_certified(state, &certified.proof)?;
        Ok(certified.verify(&loaded))
    });
    found.await
}
