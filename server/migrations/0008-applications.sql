-- ID of the machine, read there during setup; empty until then. A machine is one server of the whole instance: its proxy, its
-- ports and its containers have one owner.
alter table servers
  add column machine text,
  -- Where the proxy listens for it since its latest set-up; empty where none was completed.
  add column http_port_used integer,
  add column https_port_used integer;
create unique index on servers (machine);
update servers set http_port_used = http_port, https_port_used = https_port
  where kind = 'ssh' and status in ('ready', 'unreachable');

-- Why its proxy does not serve what it should, as far as that is of the workspace's own.
alter table servers add column proxy_error text;

-- Nobody could make one before.
delete from applications;

alter table applications
  add column server_id text not null,
  -- Its name where only plain letters go: containers, generated addresses.
  add column slug text not null,
  add column image text,
  add column command text[],
  add column port integer check (port between 1 and 65535),
  add column health jsonb not null default '{"type": "auto", "path": "/", "within_seconds": 60}',
  add column memory_limit bigint,
  add column cpu_limit real,
  add column replicas integer not null default 1,
  add column restart text not null default 'always' check (restart in ('always', 'on-failure', 'no')),
  add column stop_seconds integer not null default 10,
  add column drain_seconds integer not null default 30,
  add column auto_rollback boolean not null default false,
  add column maintenance boolean not null default false,
  -- What somebody wants; what is so is read from its containers.
  add column wanted text not null default 'running' check (wanted in ('running', 'stopped')),
  -- The release that takes the traffic.
  add column release_id text,
  -- Set while it is being deleted: nothing is begun for it any more.
  add column deleting_at timestamptz,
  -- Grows with every change of what its containers are made of, whoever makes it.
  add column revision integer not null default 1,
  add foreign key (workspace_id, server_id) references servers (workspace_id, id);
create index on applications (workspace_id, server_id);
create unique index on applications (server_id, slug);

create table variables (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  position integer not null,
  key text not null,
  value_sealed text not null,
  updated_at timestamptz not null default now(),
  unique (application_id, key),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

create table labels (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  position integer not null,
  key text not null,
  value text not null,
  unique (application_id, key),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

-- A source with a slash is a folder of the server; else it is a volume's name within the application.
create table volumes (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  position integer not null,
  source text not null,
  target text not null,
  unique (application_id, target),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

create function revise_application() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger revise before update of image, command, port, health, memory_limit, cpu_limit, replicas, restart,
  stop_seconds, drain_seconds on applications for each row execute function revise_application();

create function revise_owner() returns trigger language plpgsql as $$
begin
  update applications set revision = revision + 1 where id in (select application_id from changed);
  return null;
end $$;
create trigger revise_inserted after insert on variables referencing new table as changed
  for each statement execute function revise_owner();
create trigger revise_updated after update on variables referencing new table as changed
  for each statement execute function revise_owner();
create trigger revise_deleted after delete on variables referencing old table as changed
  for each statement execute function revise_owner();
create trigger revise_inserted after insert on labels referencing new table as changed
  for each statement execute function revise_owner();
create trigger revise_updated after update on labels referencing new table as changed
  for each statement execute function revise_owner();
create trigger revise_deleted after delete on labels referencing old table as changed
  for each statement execute function revise_owner();
create trigger revise_inserted after insert on volumes referencing new table as changed
  for each statement execute function revise_owner();
create trigger revise_updated after update on volumes referencing new table as changed
  for each statement execute function revise_owner();
create trigger revise_deleted after delete on volumes referencing old table as changed
  for each statement execute function revise_owner();

create table published_ports (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  source integer not null check (source between 1 and 65535),
  target integer not null check (target between 1 and 65535),
  created_at timestamptz not null default now(),
  unique (application_id, source),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

create table domains (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  host text not null check (host = lower(host)),
  path text not null,
  port integer check (port between 1 and 65535),
  https boolean not null,
  generated boolean not null default false,
  created_at timestamptz not null default now(),
  unique (workspace_id, id),
  unique (application_id, host, path),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index on domains (host);

-- One for a name in a workspace, whichever addresses use it.
create table certificates (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  host text not null,
  kind text not null check (kind in ('acme', 'uploaded')),
  status text not null check (status in ('waiting', 'issued', 'failed')),
  chain text,
  key_sealed text,
  issuer text,
  expires_at timestamptz,
  error text,
  failures integer not null default 0,
  next_try_at timestamptz,
  created_at timestamptz not null default now(),
  unique (workspace_id, host),
  unique (workspace_id, id)
);
create index on certificates (next_try_at);

-- Who we are to a certificate authority: one key for all workspaces.
create table acme_accounts (
  directory text primary key,
  key_sealed text not null,
  created_at timestamptz not null default now()
);

-- Until when a certificate authority wants to be left alone: about a name, or with '' altogether.
create table acme_pauses (
  directory text not null,
  host text not null,
  until timestamptz not null,
  primary key (directory, host)
);

-- What was ordered within the last hour: the authority's patience is shared by all workspaces.
create table acme_orders (
  workspace_id text not null references workspaces on delete cascade,
  created_at timestamptz not null default now(),
  host text not null,
  primary key (workspace_id, created_at, host)
);

create table releases (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  deployment_id text,
  number integer not null,
  image text not null,
  digest text,
  image_id text not null,
  -- All that a container is made of, but for the values of its environment.
  config jsonb not null,
  env_sealed text not null,
  -- When it took the traffic last; one that never did is nothing to go back to.
  live_at timestamptz,
  kept boolean not null default true,
  created_at timestamptz not null default now(),
  unique (workspace_id, id),
  unique (application_id, number),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

-- A container that Slipway made for an application; gone when the container is.
create table instances (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  server_id text not null,
  deployment_id text not null,
  release_id text not null,
  replica integer not null,
  -- In Slipway's own network on the server. It is the container's for as long as the row is there.
  address text not null,
  -- Where it listens for HTTP.
  port integer,
  container_id text,
  state text not null check (state in ('starting', 'serving', 'draining', 'stopped')),
  -- Its place in the proxy's lists, while the proxy knows it.
  slot integer,
  drain_until timestamptz,
  -- The deployment that took its traffic.
  drained_by text,
  -- How far its words stand in the log of its deployment.
  log_place text,
  created_at timestamptz not null default now(),
  unique (workspace_id, id),
  unique (server_id, address),
  unique (deployment_id, replica),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create unique index on instances (application_id, slot);
create index on instances (workspace_id, server_id);

alter table deployments
  add column server_id text not null,
  add column release_id text,
  -- What was configured when it was asked for; nothing where a release is deployed again.
  add column config jsonb,
  add column env_sealed text,
  add column job_id text,
  add column actor_id text,
  -- From then on it cannot be cancelled: the new release takes the traffic.
  add column switched_at timestamptz,
  -- What took the traffic before it.
  add column replaced_release_id text,
  -- Whether the application was to run before it.
  add column replaced_wanted text check (replaced_wanted in ('running', 'stopped')),
  -- Somebody wants it to end; whoever works on it undoes what was begun.
  add column cancel_requested_at timestamptz,
  add column log_cut integer not null default 0,
  add column started_at timestamptz,
  add column finished_at timestamptz,
  -- Until when what it brought is watched, and when it was seen to die.
  add column watched_until timestamptz,
  add column died_at timestamptz;
-- One at a time for an application, and one that waits.
create unique index on deployments (application_id) where status = 'running';
create unique index on deployments (application_id) where status = 'queued';
create index on deployments (watched_until) where watched_until is not null;

create table deployment_steps (
  workspace_id text not null,
  deployment_id text not null,
  position integer not null,
  name text not null,
  status text not null check (status in ('waiting', 'running', 'completed', 'failed', 'undone', 'skipped')),
  error text,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (deployment_id, name),
  foreign key (workspace_id, deployment_id) references deployments (workspace_id, id) on delete cascade
);

-- What a container says of itself; both may be anything that somebody wrote on it.
alter table containers add column application_id text, add column instance_id text;
create index on containers (workspace_id, application_id) where application_id is not null;

create table application_samples (
  workspace_id text not null,
  application_id text not null,
  at timestamptz not null,
  requests real not null,
  status_2xx real not null,
  status_3xx real not null,
  status_4xx real not null,
  status_5xx real not null,
  bytes_in real not null,
  bytes_out real not null,
  latency_ms real not null,
  sessions real not null,
  cpu real not null,
  memory_used bigint not null,
  primary key (application_id, at),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index on application_samples (at);

-- Five minutes each, as means.
create table application_rollups (
  workspace_id text not null,
  application_id text not null,
  at timestamptz not null,
  requests real not null,
  status_2xx real not null,
  status_3xx real not null,
  status_4xx real not null,
  status_5xx real not null,
  bytes_in real not null,
  bytes_out real not null,
  latency_ms real not null,
  sessions real not null,
  cpu real not null,
  memory_used bigint not null,
  primary key (application_id, at),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index on application_rollups (at);
