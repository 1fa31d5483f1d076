-- One verification code applied, as the embedded engine sees it. Kept equal with the server's columns and with its
-- statements, which `scripts/bench --rows counts --statements` prints.
--- schema
CREATE TABLE accounts (project TEXT NOT NULL, id TEXT NOT NULL, email TEXT, email_verified BIGINT NOT NULL,
    email_link BIGINT NOT NULL, password_hash TEXT, password_updated_at BIGINT,
    valid_since BIGINT NOT NULL, created_at BIGINT NOT NULL, last_login_at BIGINT, last_refresh_at BIGINT,
    disabled BIGINT NOT NULL, display_name TEXT, photo_url TEXT, custom_attributes TEXT, initial_email TEXT,
    custom_auth BIGINT NOT NULL DEFAULT 0, phone_number TEXT, identities TEXT, PRIMARY KEY (project, id));
CREATE UNIQUE INDEX accounts_address ON accounts (project, email);
CREATE TABLE sessions (project TEXT NOT NULL, id BLOB NOT NULL, account TEXT NOT NULL, provider TEXT NOT NULL,
    auth_time BIGINT NOT NULL, created_at BIGINT NOT NULL, ended_at BIGINT, claims TEXT,
    PRIMARY KEY (project, id));
CREATE INDEX sessions_account ON sessions (project, account);
CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE TABLE codes (project TEXT NOT NULL, id BLOB NOT NULL, kind BIGINT NOT NULL, state BIGINT NOT NULL, address TEXT,
    account TEXT, new_address TEXT, settings TEXT, language TEXT, created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL, ended_at BIGINT, holder TEXT, mail TEXT, PRIMARY KEY (project, id));
CREATE INDEX codes_address ON codes (project, address, kind);
CREATE INDEX codes_account ON codes (project, account, kind) WHERE account IS NOT NULL;
CREATE INDEX codes_expiry ON codes (expires_at);
--- setup
INSERT INTO accounts VALUES (:project, :account, :address, 0, 0, NULL, NULL, 0, :now, NULL, NULL, 0, NULL, NULL, NULL,
    NULL, 0, NULL, NULL);
INSERT INTO codes (project, id, kind, state, address, account, holder, settings, language, created_at, expires_at)
    VALUES (:project, :known1, 2, 0, :address, NULL, :account, :settings, 'en', :now, :later);
--- verb
SAVEPOINT verb;
UPDATE codes SET state = 1, ended_at = :now
    WHERE project = :project AND id = :known1 AND kind = 2 AND state = 0 AND expires_at > :now
    RETURNING id, kind, address, account, new_address, settings, language, created_at, expires_at, state, mail;
SELECT id, email, email_verified, email_link, password_hash, password_updated_at, valid_since, created_at,
    last_login_at, last_refresh_at, disabled, display_name, photo_url, custom_attributes, initial_email, custom_auth,
    phone_number, identities FROM accounts WHERE project = :project AND email = :address;
UPDATE accounts SET email_verified = 1 WHERE project = :project AND id = :account;
RELEASE verb;
