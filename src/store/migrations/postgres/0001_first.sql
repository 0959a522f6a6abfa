CREATE TABLE books (
    digest TEXT NOT NULL PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL,
    version TEXT NOT NULL,
    text TEXT NOT NULL
);

CREATE TABLE rulings (
    number TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    recorded_at BIGINT NOT NULL,
    caller TEXT NOT NULL,
    rules_id TEXT NOT NULL,
    rules_digest TEXT NOT NULL REFERENCES books (digest),
    engine TEXT NOT NULL,
    outcome TEXT NOT NULL,
    side TEXT,
    event TEXT,
    details TEXT NOT NULL,
    supersedes TEXT COLLATE "C" REFERENCES rulings (number),
    latency_us BIGINT NOT NULL,
    idempotency_key TEXT,
    body_digest TEXT,
    request TEXT NOT NULL,
    ruling TEXT NOT NULL
);
CREATE UNIQUE INDEX rulings_idempotency ON rulings (caller, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX rulings_caller ON rulings (caller, number);
CREATE INDEX rulings_rules ON rulings (rules_id, number);
CREATE INDEX rulings_outcome ON rulings (outcome, number);
CREATE INDEX rulings_event ON rulings (event, number) WHERE event IS NOT NULL;
CREATE INDEX rulings_supersedes ON rulings (supersedes, number) WHERE supersedes IS NOT NULL;

CREATE TABLE refusals (
    number TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    refused_at BIGINT NOT NULL,
    caller TEXT NOT NULL,
    route TEXT NOT NULL,
    status BIGINT NOT NULL,
    code TEXT NOT NULL,
    detail TEXT NOT NULL,
    request TEXT
);

CREATE TABLE keys (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    records BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE UNIQUE INDEX keys_name ON keys (name) WHERE revoked_at IS NULL;

CREATE TABLE cases (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    revision BIGINT NOT NULL,
    retired BIGINT NOT NULL
);

CREATE TABLE case_revisions (
    id TEXT COLLATE "C" NOT NULL REFERENCES cases (id),
    revision BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    caller TEXT NOT NULL,
    note TEXT NOT NULL,
    retired BIGINT NOT NULL,
    ruling TEXT,
    content TEXT NOT NULL,
    PRIMARY KEY (id, revision)
);

CREATE TABLE drafts (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL
);

CREATE TABLE draft_versions (
    id TEXT COLLATE "C" NOT NULL REFERENCES drafts (id),
    version BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    caller TEXT NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL,
    digest TEXT NOT NULL,
    amendment TEXT NOT NULL,
    PRIMARY KEY (id, version)
);

CREATE TABLE draft_notes (
    id TEXT COLLATE "C" NOT NULL REFERENCES drafts (id),
    number TEXT COLLATE "C" NOT NULL,
    written_at BIGINT NOT NULL,
    caller TEXT NOT NULL,
    version BIGINT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (id, number)
);

CREATE TABLE draft_reports (
    id TEXT COLLATE "C" NOT NULL REFERENCES drafts (id),
    number TEXT COLLATE "C" NOT NULL,
    made_at BIGINT NOT NULL,
    caller TEXT NOT NULL,
    version BIGINT NOT NULL,
    engine TEXT NOT NULL,
    summary TEXT NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (id, number)
);

-- Written to see whether writing works.
CREATE TABLE pulse (
    id BIGINT NOT NULL PRIMARY KEY,
    beat_at BIGINT NOT NULL
);
