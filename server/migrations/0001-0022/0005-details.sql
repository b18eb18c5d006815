-- Detail beyond type and target: `to admin`, `as viewer`.
alter table events add column detail text;

-- The claim of a key: a former holder must not release a key that was taken over.
alter table idempotency_keys add column holder text not null default '';
