-- GitHub's delivery ID is not signed, so a captured delivery can be replayed under another ID. The body is signed, so each hash
-- is accepted once. Redeliveries by Slipway have none.
alter table deliveries add column body_hash text;
create unique index on deliveries (workspace_id, hook, body_hash) where body_hash is not null;

-- The push time of the signed body: an older push never replaces a newer one.
alter table deliveries add column pushed_at timestamptz;
