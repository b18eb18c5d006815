-- Every process caches access for some seconds; this invalidates the caches.
create function notify_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('access', '');
  return null;
end $$;

create trigger notify_deleted after delete on sessions for each statement execute function notify_access();
create trigger notify_changed after update of user_id, workspace_id, token_hash on sessions
  for each statement execute function notify_access();
create trigger notify_deleted after delete on api_tokens for each statement execute function notify_access();
create trigger notify_changed after update of role, token_hash, expires_at on api_tokens
  for each statement execute function notify_access();
create trigger notify_changed after insert or update or delete on members
  for each statement execute function notify_access();
create trigger notify_deleted after delete on users for each statement execute function notify_access();
create trigger notify_changed after update of name, email on users for each statement execute function notify_access();
