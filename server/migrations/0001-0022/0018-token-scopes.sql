-- API tokens have a scope and may be limited to projects or applications. Existing tokens keep their access.
alter table api_tokens add column scope text not null default 'manage' check (scope in ('read', 'deploy', 'manage'));
alter table api_tokens alter column scope drop default;
-- Null is no limit. IDs of deleted objects stay, so that a token never reaches more than was chosen.
alter table api_tokens add column projects text[];
alter table api_tokens add column applications text[];
alter table api_tokens add check (projects is null or applications is null);
create trigger notify_limit_changed after update of scope, projects, applications on api_tokens
  for each statement execute function notify_access();

-- A session lasts at most 90 days, even if it is used.
update sessions set expires_at = least(expires_at, created_at + interval '90 days');

-- The request path that a ticket is for; null if it was requested without one.
alter table stream_tickets add column path text;

-- Whether the login that a one-time code completes has created the account.
alter table single_use_tokens add column is_signup boolean not null default false;
