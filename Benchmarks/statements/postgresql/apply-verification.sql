-- One verification code applied, as PostgreSQL gets it: the server's own statements, word by word. A run of
-- `scripts/bench --rows postgres` compares them with what the server runs, and fails where they differ.
BEGIN;
UPDATE codes SET state = 1, ended_at = :now
    WHERE project = :project AND id = :known AND kind = :verification AND state = 0 AND expires_at > :now
    RETURNING id, kind, address, account, new_address, settings, language, created_at, expires_at, state, mail;
SELECT id, email, email_verified, email_link, password_hash, password_updated_at, valid_since, created_at,
    last_login_at, last_refresh_at, disabled, display_name, photo_url, custom_attributes, initial_email, custom_auth,
    phone_number, identities FROM accounts WHERE project = :project AND email = :address FOR UPDATE;
UPDATE accounts SET email_verified = :one WHERE project = :project AND id = :account;
COMMIT;
