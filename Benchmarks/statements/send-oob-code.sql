-- One sendOobCode for a known address, as the embedded engine sees it. Kept equal with the server's columns and with
-- its statements, which `scripts/bench --rows counts --statements` prints, but for one: the server counts its three
-- counters in one statement. Three are quicker for the loop, whose engine keeps a statement's journal in a file. The
-- index by which projects take turns in the outbox is not here: it is the server's choice, and the loop is quicker
-- without.
--- schema
CREATE TABLE accounts (project TEXT NOT NULL, id TEXT NOT NULL, email TEXT, email_verified BIGINT NOT NULL,
    email_link BIGINT NOT NULL, password_hash TEXT, password_updated_at BIGINT,
    valid_since BIGINT NOT NULL, created_at BIGINT NOT NULL, last_login_at BIGINT, last_refresh_at BIGINT,
    disabled BIGINT NOT NULL, display_name TEXT, photo_url TEXT, custom_attributes TEXT, initial_email TEXT,
    custom_auth BIGINT NOT NULL DEFAULT 0, phone_number TEXT, identities TEXT, PRIMARY KEY (project, id));
CREATE UNIQUE INDEX accounts_address ON accounts (project, email);
CREATE TABLE limits (project TEXT NOT NULL, subject TEXT NOT NULL, started_at BIGINT NOT NULL, n BIGINT NOT NULL,
    expires_at BIGINT NOT NULL, PRIMARY KEY (project, subject));
CREATE INDEX limits_expiry ON limits (expires_at);
CREATE TABLE codes (project TEXT NOT NULL, id BLOB NOT NULL, kind BIGINT NOT NULL, state BIGINT NOT NULL, address TEXT,
    account TEXT, new_address TEXT, settings TEXT, language TEXT, created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL, ended_at BIGINT, holder TEXT, mail TEXT, PRIMARY KEY (project, id));
CREATE INDEX codes_address ON codes (project, address, kind);
CREATE INDEX codes_account ON codes (project, account, kind) WHERE account IS NOT NULL;
CREATE INDEX codes_expiry ON codes (expires_at);
CREATE TABLE outbox (project TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, state BIGINT NOT NULL, recipient TEXT,
    code BLOB, key_version BIGINT, facts TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
    next_at BIGINT NOT NULL, lease TEXT, attempts BIGINT NOT NULL, last_reply TEXT, ended_at BIGINT,
    bounced_at BIGINT, bounce TEXT, retried_at BIGINT, opened_at BIGINT, applied_at BIGINT, returned_at BIGINT,
    PRIMARY KEY (project, id));
CREATE INDEX outbox_due ON outbox (state, next_at);
CREATE INDEX outbox_ended ON outbox (ended_at) WHERE ended_at IS NOT NULL;
--- setup
INSERT INTO accounts VALUES (:project, :account, :address, 0, 0, NULL, NULL, 0, :now, NULL, NULL, 0, NULL, NULL, NULL,
    NULL, 0, NULL, NULL);
--- verb
SAVEPOINT verb;
INSERT INTO limits (project, subject, started_at, n, expires_at)
    VALUES (:project, 'mail ' || :address || ' PASSWORD_RESET', :now, 1, :later)
    ON CONFLICT (project, subject) DO UPDATE SET
    n = CASE WHEN limits.expires_at <= excluded.started_at OR limits.started_at > excluded.expires_at
        THEN excluded.n ELSE limits.n + excluded.n END,
    expires_at = CASE WHEN limits.expires_at <= excluded.started_at OR limits.started_at > excluded.expires_at
        THEN excluded.expires_at ELSE limits.expires_at END,
    started_at = CASE WHEN limits.expires_at <= excluded.started_at OR limits.started_at > excluded.expires_at
        THEN excluded.started_at ELSE limits.started_at END
    RETURNING n, subject;
INSERT INTO limits (project, subject, started_at, n, expires_at)
    VALUES (:project, 'mail ' || :address, :now, 1, :later)
    ON CONFLICT (project, subject) DO UPDATE SET
    n = CASE WHEN limits.expires_at <= excluded.started_at OR limits.started_at > excluded.expires_at
        THEN excluded.n ELSE limits.n + excluded.n END,
    expires_at = CASE WHEN limits.expires_at <= excluded.started_at OR limits.started_at > excluded.expires_at
        THEN excluded.expires_at ELSE limits.expires_at END,
    started_at = CASE WHEN limits.expires_at <= excluded.started_at OR limits.started_at > excluded.expires_at
        THEN excluded.started_at ELSE limits.started_at END
    RETURNING n, subject;
INSERT INTO limits (project, subject, started_at, n, expires_at)
    VALUES (:project, 'hour ' || :address || ' PASSWORD_RESET', :now, 1, :later)
    ON CONFLICT (project, subject) DO UPDATE SET
    n = CASE WHEN limits.expires_at <= excluded.started_at OR limits.started_at > excluded.expires_at
        THEN excluded.n ELSE limits.n + excluded.n END,
    expires_at = CASE WHEN limits.expires_at <= excluded.started_at OR limits.started_at > excluded.expires_at
        THEN excluded.expires_at ELSE limits.expires_at END,
    started_at = CASE WHEN limits.expires_at <= excluded.started_at OR limits.started_at > excluded.expires_at
        THEN excluded.started_at ELSE limits.started_at END
    RETURNING n, subject;
SELECT id, email, email_verified, email_link, password_hash, password_updated_at, valid_since, created_at,
    last_login_at, last_refresh_at, disabled, display_name, photo_url, custom_attributes, initial_email, custom_auth,
    phone_number, identities FROM accounts WHERE project = :project AND email = :address;
INSERT INTO outbox (project, id, kind, state, recipient, code, key_version, facts, created_at, expires_at, next_at,
    attempts) VALUES (:project, :name, 'PASSWORD_RESET', 0, :address, :fresh1, 1, :facts, :now, :later, COALESCE((
        SELECT CASE WHEN o.next_at <= :now THEN o.next_at WHEN o.lease IS NOT NULL
        THEN (SELECT h.next_at FROM outbox h
        WHERE h.project = :project AND h.ended_at IS NULL AND h.next_at <= :now ORDER BY h.next_at LIMIT 1) END
        FROM outbox o WHERE o.project = :project AND o.id = (SELECT mail FROM codes WHERE project = :project
        AND address = :address AND kind = 1 AND state = 0 ORDER BY created_at DESC LIMIT 1)
        AND o.state + 0 = 0 ), :now), 0);
UPDATE codes SET state = 2, ended_at = :now
    WHERE project = :project AND address = :address AND kind = 1 AND state = 0;
INSERT INTO codes (project, id, kind, state, address, account, new_address, holder, settings, language, created_at,
    expires_at, mail) VALUES (:project, :fresh1, 1, 0, :address, NULL, NULL, :account, :settings, 'en', :now, :later,
    :name);
RELEASE verb;
