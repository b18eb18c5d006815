create table instance (
  name text primary key,
  value text not null
);

create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  password_hash text,
  email_verified_at timestamptz,
  two_factor_secret text,
  two_factor_on_at timestamptz,
  two_factor_last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id text not null references users on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

create table identities (
  provider text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  login text not null,
  created_at timestamptz not null default now(),
  primary key (provider, subject)
);
create index on identities (user_id);

-- Links in mails, and logins that wait for their second factor.
create table single_use_tokens (
  token_hash text primary key,
  user_id text not null references users on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset', 'github')),
  expires_at timestamptz not null
);
create index on single_use_tokens (user_id);

create table login_failures (
  account text not null,
  address text not null,
  failed_at timestamptz not null default now()
);
create index on login_failures (account, failed_at);
create index on login_failures (address, failed_at);
create index on login_failures (failed_at);

create table workspaces (
  id text primary key,
  name text not null,
  trial_ends_at timestamptz not null,
  created_at timestamptz not null default now()
);

create table members (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  created_at timestamptz not null default now(),
  unique (workspace_id, user_id)
);
create index on members (user_id);

create table invites (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  email text not null check (email = lower(email)),
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  -- The copied link and the mailed link. Only the mailed link proves control of the mailbox.
  token_hash text not null unique,
  mailed_token_hash text not null unique,
  token_sealed text not null,
  invited_by text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, email)
);

create table sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  workspace_id text references workspaces on delete set null,
  token_hash text not null unique,
  address text not null,
  agent text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on sessions (user_id);
create index on sessions (expires_at);

create table api_tokens (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null,
  name text not null,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  token_hash text not null unique,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, user_id) references members (workspace_id, user_id) on delete cascade
);
create index on api_tokens (workspace_id, user_id);

create table stream_tickets (
  ticket_hash text primary key,
  token_hash text not null,
  expires_at timestamptz not null
);

create table idempotency_keys (
  caller text not null,
  key text not null,
  request_hash text not null,
  reply_sealed text,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);
create index on idempotency_keys (created_at);

-- Events are written in the transaction of the change: outbox, live updates and audit log in one.
create table events (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  type text not null,
  actor_id text,
  actor_name text not null,
  via text not null,
  target_kind text,
  target_id text,
  target_name text,
  address text,
  created_at timestamptz not null default now()
);
create index on events (workspace_id, id desc);

create function notify_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', json_build_object(
    'id', new.id, 'workspace_id', new.workspace_id, 'type', new.type,
    'kind', new.target_kind, 'target', new.target_id)::text);
  return null;
end $$;
create trigger notify_change after insert on events for each row execute function notify_event();

create table projects (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, id)
);

create table servers (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  status text not null check (status in
    ('failed', 'unreachable', 'setting_up', 'provisioning', 'pending', 'ready', 'deleting')),
  address text,
  created_at timestamptz not null default now(),
  unique (workspace_id, id)
);

create table applications (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  source_type text not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, id)
);

create table deployments (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text not null,
  type text not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  message text,
  tag text,
  errors text[] not null default '{}',
  actor_name text not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index on deployments (workspace_id, id desc);
create index on deployments (workspace_id, application_id, id desc);

create table notifications (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  type text not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, id)
);
create index on projects (workspace_id);
create index on servers (workspace_id);
create index on applications (workspace_id);
create index on notifications (workspace_id);
