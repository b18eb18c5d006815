-- Operator rights belong to flagged users. They are granted and revoked explicitly and never follow from owning a workspace.
alter table users
  add column instance_owner boolean not null default false,
  add column locked_at timestamptz;

-- The creator of the oldest workspace keeps these rights, or else its first owner.
update users set instance_owner = true where id = (
  select m.user_id from members m
  where m.role = 'owner' and m.workspace_id = (select id from workspaces order by created_at, id limit 1)
  order by m.user_id is not distinct from (
    select e.actor_id from events e
    where e.workspace_id = m.workspace_id and e.type = 'workspace.created' order by e.id limit 1) desc, m.id
  limit 1);

-- Members of a locked workspace cannot use it; its applications keep running.
alter table workspaces add column locked_at timestamptz;

create trigger notify_rights after update of instance_owner, locked_at on users
  for each statement execute function notify_access();
create trigger notify_locked after update of locked_at on workspaces
  for each statement execute function notify_access();

-- Settings of the instance owners. Environment variables take precedence.
create table instance_settings (
  name text primary key,
  value jsonb,
  value_sealed text,
  updated_at timestamptz not null default now(),
  check ((value is null) <> (value_sealed is null))
);

create function notify_settings() returns trigger language plpgsql as $$
begin
  perform pg_notify('settings', '');
  return null;
end $$;
create trigger notify_changed after insert or update or delete on instance_settings
  for each statement execute function notify_settings();

-- The audit log of the instance. It has no references: it outlives the users and workspaces that it names.
create table instance_events (
  id text primary key,
  type text not null,
  actor_id text,
  actor_name text not null,
  via text not null,
  address text,
  target_kind text,
  target_id text,
  target_name text,
  detail text,
  created_at timestamptz not null default now()
);

-- This machine is a server only if an instance owner enabled it; there is at most one such row.
delete from instance where name = 'local_server';
create unique index one_local_server on servers ((true)) where kind = 'local';
