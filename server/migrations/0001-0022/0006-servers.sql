alter table servers
  add column kind text not null default 'ssh' check (kind in ('ssh', 'local')),
  add column reason text,
  add column port integer not null default 22 check (port between 1 and 65535),
  add column username text not null default 'root',
  -- Sealed OpenSSH private key; null for This machine.
  add column key_sealed text,
  add column public_key text,
  -- Confirmed host keys as "ssh-ed25519 AAAA…", and one that was presented but not confirmed.
  add column host_keys text[] not null default '{}',
  add column offered_host_key text,
  add column http_port integer not null default 80 check (http_port between 1 and 65535),
  add column https_port integer not null default 443 check (https_port between 1 and 65535),
  add column labels text[] not null default '{}',
  add column provider text,
  add column region text,
  add column type text,
  add column os text,
  add column architecture text,
  add column cpus integer,
  add column memory_bytes bigint,
  add column disk_bytes bigint,
  add column docker_version text,
  add column last_seen_at timestamptz,
  -- Increments with every change of the connection settings.
  add column version integer not null default 1,
  -- The process that watches the server, and when its claim expires.
  add column watcher text,
  add column watched_until timestamptz;

-- At most one row is This machine.
create unique index on servers (kind) where kind = 'local';

-- Wakes the watchers when a server is created, deleted or its connection changes.
create function notify_server() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform pg_notify('servers', old.id);
  elsif tg_op = 'INSERT' or old.version <> new.version or old.status <> new.status then
    perform pg_notify('servers', new.id);
  end if;
  return null;
end $$;
create trigger notify_change after insert or update or delete on servers for each row execute function notify_server();

create table setups (
  id text primary key,
  workspace_id text not null,
  server_id text not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  step text,
  error text,
  actor_id text,
  actor_name text not null,
  -- Sentences as {"step", "text"}.
  warnings jsonb not null default '[]',
  -- How much of the output on the server was read.
  stdout_offset bigint not null default 0,
  stderr_offset bigint not null default 0,
  -- Number of starts: setup is restarted on a server that lost its power during setup.
  runs integer not null default 1,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (workspace_id, id),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on setups (workspace_id, server_id, id desc);
create unique index on setups (server_id) where status in ('queued', 'running');

create table import_tokens (
  token_hash text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text,
  key_sealed text not null,
  public_key text not null,
  actor_id text not null,
  actor_name text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index on import_tokens (expires_at);
create index on import_tokens (workspace_id);

create table commands (
  id text primary key,
  workspace_id text not null,
  server_id text not null,
  container_id text,
  command text not null,
  status text not null check (status in ('running', 'completed', 'failed', 'cancelled', 'timed_out', 'lost')),
  exit_code integer,
  error text,
  truncated boolean not null default false,
  timeout_seconds integer not null,
  actor_id text,
  actor_name text not null,
  -- The process that follows the command, and when its claim expires.
  follower text,
  followed_until timestamptz,
  -- When the server first confirmed the command; it is never started again afterwards.
  begun_at timestamptz,
  -- When a user canceled the command, whether or not the server was reachable.
  cancel_requested_at timestamptz,
  stdout_offset bigint not null default 0,
  stderr_offset bigint not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (workspace_id, id),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on commands (workspace_id, server_id, id desc);
create index on commands (followed_until) where status = 'running';
create index on commands (workspace_id, created_at);

-- Output of setups, commands and deployments, in order.
create table outputs (
  workspace_id text not null references workspaces on delete cascade,
  source text not null,
  seq integer not null,
  stream text not null check (stream in ('stdout', 'stderr')),
  text text not null,
  created_at timestamptz not null default now(),
  primary key (source, seq)
);
create index on outputs (workspace_id);

create function notify_output() returns trigger language plpgsql as $$
begin
  perform pg_notify('outputs', new.source);
  return null;
end $$;
create trigger notify_change after insert on outputs for each row execute function notify_output();

create table server_samples (
  workspace_id text not null,
  server_id text not null,
  at timestamptz not null,
  cpu real not null,
  memory_used bigint not null,
  memory_total bigint not null,
  disk_used bigint not null,
  disk_total bigint not null,
  network_in bigint not null,
  network_out bigint not null,
  load_1 real not null,
  load_5 real not null,
  load_15 real not null,
  primary key (server_id, at),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on server_samples (at);

-- Means of five minutes.
create table server_rollups (
  workspace_id text not null,
  server_id text not null,
  at timestamptz not null,
  cpu real not null,
  memory_used bigint not null,
  memory_total bigint not null,
  disk_used bigint not null,
  disk_total bigint not null,
  network_in bigint not null,
  network_out bigint not null,
  load_1 real not null,
  load_5 real not null,
  load_15 real not null,
  primary key (server_id, at),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on server_rollups (at);
