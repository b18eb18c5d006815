-- Deploy hooks keep the first 64 kB of a body.
alter table deliveries add column is_truncated boolean not null default false;
