-- The delivery id that GitHub sends is not signed, so whoever has captured a delivery can send it again under another one.
-- The body is signed: a hash of it is taken once. What Slipway delivers again by itself has none.
alter table deliveries add column body_hash text;
create unique index on deliveries (workspace_id, hook, body_hash) where body_hash is not null;

-- When the push was made, as the signed body says: an older one never takes the place of a newer one.
alter table deliveries add column pushed_at timestamptz;
