-- What the words and the target do not say: `to admin`, `as viewer`.
alter table events add column detail text;

-- Who claimed a key: one that was taken over must not be given back by its former holder.
alter table idempotency_keys add column holder text not null default '';
