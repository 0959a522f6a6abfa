//! What went wrong, as RFC 9457 has it, in the caller's language.

use crate::http::edge::language::Language;
use crate::language::{Text, both};
use crate::named::named;
use crate::rules::Fault;
use crate::store::StoreError;
use crate::wire::RequestError;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use std::fmt;

/// When to come back where the store cannot be used.
const STORE_BACK: u64 = 2;

/// What comes of some work, or what went wrong.
pub type Result<T = (), E = ApiError> = std::result::Result<T, E>;

/// An answer, or what went wrong.
pub type Answer = Result<HttpResponse>;

/// What went wrong (RFC 9457).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// `urn:qili:problem:` and the code.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(example = "urn:qili:problem:no_such_step"))]
    pub kind: String,
    /// What this status means, in the caller's language.
    pub title: String,
    /// The status of the answer.
    #[cfg_attr(feature = "openapi", schema(example = 422))]
    pub status: u16,
    /// What is wrong here, in the caller's language.
    pub detail: String,
    /// A stable name, in snake case.
    #[cfg_attr(feature = "openapi", schema(example = "no_such_step"))]
    pub code: String,
    /// JSON pointer to the offending value of the body, or to the name of the query's parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = "/moves/2"))]
    pub pointer: Option<String>,
    /// The move at fault, 0 for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = 2))]
    pub index: Option<usize>,
    /// Every fault of an amendment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
}

named! {
    /// Why the service cannot take something on now.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Busy {
        /// Too many requests wait.
        QueueFull "queue_full" "等候的请求过多" "too many requests are waiting already",
        /// No slot came free in time.
        QueueTimeout "queue_timeout" "等候超时" "no place came free in time",
        /// Too many batches are being answered.
        Batches "too_many_batches" "正在处理的批次过多" "too many batches are being answered already",
        /// The caller has asked for too much.
        Rate "rate_limited" "请求过多" "too much was asked for",
        /// It took too long.
        Deadline "deadline" "超出此时可用于一个请求的时间"
            "this took longer than the service spends on one request now",
        /// Too much long work is under way.
        TooMuch "too_much_work" "正在进行的长时计算过多" "too much long work is under way",
        /// The service is about to end.
        Stopping "stopping" "服务即将停止：自此起未作裁决"
            "the service is about to end: from here on nothing was ruled on",
    }
}

impl From<Busy> for ApiError {
    fn from(why: Busy) -> Self {
        let after = if why == Busy::Deadline { 5 } else { 1 };
        let status = StatusCode::SERVICE_UNAVAILABLE;
        let mut error =
            Self::new(status, why.id(), Text::new(why.en(), why.zh())).retry_after(after);
        error.0.busy = Some(why);
        error
    }
}

/// An error on its way to the caller.
#[derive(Debug)]
pub struct ApiError(Box<Told>);

#[derive(Debug)]
struct Told {
    status: StatusCode,
    fault: RequestError,
    faults: Vec<Fault>,
    retry_after: Option<u64>,
    allow: Option<String>,
    busy: Option<Busy>,
}

impl ApiError {
    /// An error of the request as a whole.
    pub fn new(status: StatusCode, code: &'static str, told: Text) -> Self {
        Self::of(status, RequestError::at(code, None, told))
    }

    /// A value of the request that is read but makes no sense.
    pub fn unprocessable(code: &'static str, pointer: &str, told: Text) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, told).at(pointer)
    }

    /// An error with a status of its own.
    pub fn of(status: StatusCode, fault: RequestError) -> Self {
        Self(Box::new(Told {
            status,
            fault,
            faults: Vec::new(),
            retry_after: None,
            allow: None,
            busy: None,
        }))
    }

    /// At a place of the request.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.0.fault.pointer = Some(pointer.into());
        self
    }

    /// With every fault of a file.
    #[must_use]
    pub fn with_faults(mut self, faults: Vec<Fault>) -> Self {
        self.0.faults = faults;
        self
    }

    /// Worth another try after so many seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    /// The caller has asked for too much, and may ask again after so many seconds.
    pub fn too_often(wait: u64) -> Self {
        let status = StatusCode::TOO_MANY_REQUESTS;
        let mut error = Self::new(
            status,
            Busy::Rate.id(),
            both!("try again in {wait} s", "请在{wait}秒后再试"),
        )
        .retry_after(wait);
        error.0.busy = Some(Busy::Rate);
        error
    }

    /// Why the service could not take it on, where that is what is wrong.
    pub const fn busy(&self) -> Option<Busy> {
        self.0.busy
    }

    /// Something broke that is not the caller's fault.
    pub fn broken() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            both!("the service failed to answer this", "服务未能完成此请求"),
        )
    }

    /// The resource does not take the method.
    pub fn method(method: &str, allow: &str) -> Self {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        let mut error = Self::new(
            status,
            "method_not_allowed",
            both!(
                "{method} is not taken here, {allow} is",
                "此处不接受{method}，接受{allow}"
            ),
        );
        error.0.allow = Some(allow.to_owned());
        error
    }

    /// The body is too large.
    pub fn too_large(most: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            both!(
                "the body has more than {most} bytes",
                "请求体超过{most}字节"
            ),
        )
    }

    /// A parameter of the query cannot be read, or there is none of its name.
    pub fn query(name: &str, told: &Text) -> Self {
        let at = both!("`{name}`: ", "参数 {name}：").only_if(!name.is_empty());
        let told = both!(at, told; "{at}{told}", "{at}{told}");
        let error = Self::new(StatusCode::BAD_REQUEST, "bad_query", told);
        if name.is_empty() {
            error
        } else {
            error.at(format!("/{name}"))
        }
    }

    /// The status of the answer.
    pub const fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The stable name of what is wrong.
    pub const fn code(&self) -> &'static str {
        self.0.fault.code
    }

    /// Seconds after which another try may do.
    pub const fn wait(&self) -> Option<u64> {
        self.0.retry_after
    }

    /// What is wrong, in both languages.
    pub const fn fault(&self) -> &RequestError {
        &self.0.fault
    }

    /// The answer in a language.
    pub fn answer(&self, language: Language) -> HttpResponse {
        let mut answer = HttpResponse::build(self.0.status);
        answer.content_type("application/problem+json");
        answer.insert_header((header::CONTENT_LANGUAGE, language.id()));
        answer.insert_header((header::VARY, "Accept-Language"));
        answer.insert_header((header::CACHE_CONTROL, "no-store"));
        if let Some(seconds) = self.0.retry_after {
            answer.insert_header((header::RETRY_AFTER, seconds));
        }
        if let Some(allow) = &self.0.allow {
            answer.insert_header((header::ALLOW, allow.as_str()));
        }
        if self.0.status == StatusCode::UNAUTHORIZED {
            answer.insert_header((header::WWW_AUTHENTICATE, "Bearer realm=\"qili\""));
        }
        answer.body(self.body(language))
    }

    /// What the answer in a language says.
    pub fn body(&self, language: Language) -> Vec<u8> {
        let RequestError {
            code,
            detail,
            detail_zh,
            pointer,
            index,
        } = self.0.fault.clone();
        let problem = Problem {
            kind: format!("urn:qili:problem:{code}"),
            title: title(self.0.status, language).to_owned(),
            status: self.0.status.as_u16(),
            detail: language.pick(detail_zh, detail),
            code: code.to_owned(),
            pointer,
            index,
            faults: self.0.faults.clone(),
        };
        serde_json::to_vec(&problem).unwrap_or_default()
    }
}

/// An error of the store, in the caller's terms.
impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        if error.passes() {
            let status = StatusCode::SERVICE_UNAVAILABLE;
            return Self::new(
                status,
                "store_unavailable",
                both!(
                    "the store cannot be used now: nothing was kept for certain",
                    "存储暂不可用：不能确认已经保存"
                ),
            )
            .retry_after(STORE_BACK);
        }
        if error == StoreError::Conflict {
            return Self::new(
                StatusCode::CONFLICT,
                "conflict",
                both!(
                    "it is there already, or was changed meanwhile",
                    "已经存在，或其间已被改动"
                ),
            );
        }
        tracing::error!(target: "qili::store", fault = %error, "the store failed");
        Self::broken()
    }
}

fn title(status: StatusCode, language: Language) -> &'static str {
    let (zh, en) = match status.as_u16() {
        400 => ("请求无法读懂", "The request cannot be read"),
        401 => ("需要有效的密钥", "A valid key is needed"),
        403 => ("不允许", "This is not allowed"),
        404 => ("不存在", "There is no such thing"),
        405 => ("方法不适用", "The method is not taken"),
        408 => ("请求未及时到齐", "The request took too long to arrive"),
        415 => ("内容类型不符", "The type of the body is not taken"),
        421 => ("请求的主机不符", "The request is for another host"),
        431 => ("请求头过大", "The head of the request is too large"),
        413 => ("请求过大", "The request is too large"),
        422 => ("请求无法办理", "The request cannot be carried out"),
        429 => ("请求过于频繁", "Too many requests"),
        503 => ("暂时繁忙", "Busy at the moment"),
        500..=599 => ("服务故障", "The service failed"),
        _ => ("请求有误", "The request is wrong"),
    };
    language.pick(zh, en)
}

impl From<RequestError> for ApiError {
    fn from(fault: RequestError) -> Self {
        let status = match fault.code {
            "json_syntax" | "not_utf8" => StatusCode::BAD_REQUEST,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::of(status, fault)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.fault.detail)
    }
}

impl std::error::Error for ApiError {}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.0.status
    }

    fn error_response(&self) -> HttpResponse {
        self.answer(Language::En)
    }
}
