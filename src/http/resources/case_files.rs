//! Own cases as case files, out and in.

use crate::cases::{Case, Corpus, FileFault};
use crate::http::desk::state::State;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{Changed, Failures, Kept, Missing};
use crate::http::edge::keys::caller;
use crate::http::edge::problem::{Answer, ApiError, Result};
use crate::http::intake::body;
use crate::http::keeping::recording::store;
use crate::http::resources::own_cases::{faulty, own_id};
use crate::language::both;
use crate::store::{CaseChange, Imported, OwnCase};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};

/// Files one import may have.
const MOST_FILES: usize = 10_000;
/// Faults that are told of.
const MOST_FAULTS: usize = 100;

/// Case files.
#[derive(Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CaseFiles {
    /// They themselves.
    files: Vec<CaseFileText>,
}

/// A case file.
#[derive(Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CaseFileText {
    /// Its name.
    #[cfg_attr(feature = "openapi", schema(example = "club-1.toml"))]
    path: String,
    /// What it says: TOML, as in the folder `cases`.
    text: String,
}

/// The own cases as case files
///
/// As `POST /v1/cases:import` and `qili cases check` read them.
#[cfg_attr(feature = "openapi", utoipa::path(get, operation_id = "export_cases", path = "/v1/cases:export", tag = "rules", responses(
    (status = 200, description = "The files.", body = CaseFiles), Missing, Kept, Failures)))]
pub async fn export(state: Data<State>) -> Answer {
    let own = store(&state)?.own_cases(false).await?;
    let file = |own: &OwnCase| {
        let text = toml::to_string(&own.case).map_err(|_| ApiError::broken())?;
        let path = format!("{}.toml", own.id);
        Ok::<_, ApiError>(CaseFileText { path, text })
    };
    let files = own.iter().map(file).collect::<Result<_, _>>()?;
    Ok(HttpResponse::Ok().json(CaseFiles { files }))
}

/// What became of case files.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportReport {
    /// Of each in turn.
    cases: Vec<ImportedCase>,
}

/// What became of a case.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportedCase {
    /// Its id.
    id: String,
    /// What became of it.
    became: Imported,
}

/// Take in case files
///
/// All or none: new cases are added, those that differ are revised.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "import_cases", path = "/v1/cases:import", tag = "rules", request_body = CaseFiles, responses(
    (status = 200, description = "What became of each.", body = ImportReport), Changed, Missing, Kept, Failures), security((), ("key" = ["write"]))))]
pub async fn import(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let sent: CaseFiles = body::sent(&state.settings, &request, payload).await?;
    if sent.files.len() > MOST_FILES {
        return Err(ApiError::unprocessable(
            "request_shape",
            "/files",
            both!(
                "at most {MOST_FILES} files are taken",
                "最多{MOST_FILES}个文件"
            ),
        ));
    }
    let files = sent.files.into_iter().map(|file| (file.path, file.text));
    let (corpus, faults) = Corpus::of_files(files);
    if !faults.is_empty() {
        let faults = faults.get(..MOST_FAULTS).unwrap_or(&faults);
        return Err(faulty(faults.iter().map(FileFault::told)).at("/files"));
    }
    let caller = caller(&request);
    let change = |case: &Case| {
        own_id(&case.id)?;
        Ok(CaseChange {
            case: case.clone(),
            note: String::new(),
            caller: caller.clone(),
            ruling: None,
        })
    };
    let changes = corpus.iter().map(change).collect::<Result<_>>()?;
    let cases = store(&state)?.import_cases(changes).await?.into_iter();
    Ok(HttpResponse::Ok().json(ImportReport {
        cases: cases
            .map(|(id, became)| ImportedCase { id, became })
            .collect(),
    }))
}
