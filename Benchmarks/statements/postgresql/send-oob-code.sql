-- One sendOobCode for a known address, as PostgreSQL gets it: the server's own statements, word by word. A run of
-- `scripts/bench --rows postgres` compares them with what the server runs, and fails where they differ.
BEGIN;
INSERT INTO limits (project, subject, started_at, n, expires_at)
    VALUES (:project, :of_minute, :now, :one, :soon), (:project, :of_hour, :now, :one, :later),
    (:project, :of_kind, :now, :one, :later)
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
    phone_number, identities FROM accounts WHERE project = :project AND email = :address FOR UPDATE;
INSERT INTO outbox (project, id, kind, state, recipient, code, key_version, facts, created_at, expires_at, next_at,
    attempts) VALUES (:project, :name, :kind, 0, :address, :fresh, :one, :facts, :now, :later, COALESCE((
        SELECT CASE WHEN o.next_at <= :now THEN o.next_at WHEN o.lease IS NOT NULL
        THEN (SELECT h.next_at FROM outbox h
        WHERE h.project = :project AND h.ended_at IS NULL AND h.next_at <= :now ORDER BY h.next_at LIMIT 1) END
        FROM outbox o WHERE o.project = :project AND o.id = (SELECT mail FROM codes WHERE project = :project
        AND address = :address AND kind = :reset AND state = 0 ORDER BY created_at DESC LIMIT 1)
        AND o.state + 0 = 0 ), :now), 0);
UPDATE codes SET state = 2, ended_at = :now
    WHERE project = :project AND address = :address AND kind = :reset AND state = 0;
INSERT INTO codes (project, id, kind, state, address, account, new_address, holder, settings, language, created_at,
    expires_at, mail) VALUES (:project, :fresh, :reset, :live, :address, :none, :none, :account, :settings, :language,
    :now, :later, :name);
COMMIT;
