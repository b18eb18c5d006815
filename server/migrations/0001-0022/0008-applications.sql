-- The machine ID, read during setup; empty until then. A machine is one server of the whole instance: its proxy, its
-- ports and its containers have one owner.
alter table servers
  add column machine text,
  -- Where the proxy listens since the latest setup; empty if none was completed.
  add column http_port_used integer,
  add column https_port_used integer;
create unique index on servers (machine);
update servers set http_port_used = http_port, https_port_used = https_port
  where kind = 'ssh' and status in ('ready', 'unreachable');

-- Why the proxy does not serve the configuration of the workspace.
alter table servers add column proxy_error text;

-- No application could be created before.
delete from applications;

alter table applications
  add column server_id text not null,
  -- The name for places that allow only plain letters: containers, generated URLs.
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
  -- The requested state; the actual state is read from the containers.
  add column wanted text not null default 'running' check (wanted in ('running', 'stopped')),
  -- The live release.
  add column release_id text,
  -- Set while the application is being deleted; nothing new starts for it.
  add column deleting_at timestamptz,
  -- Increments with every change of the container configuration.
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

-- A source with a slash is a folder of the server, otherwise the name of a volume of the application.
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

-- One per name in a workspace, for all domains that use it.
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

-- The account at a certificate authority: one key for all workspaces.
create table acme_accounts (
  directory text primary key,
  key_sealed text not null,
  created_at timestamptz not null default now()
);

-- Until when a certificate authority refuses orders for a name, or with '' all orders.
create table acme_pauses (
  directory text not null,
  host text not null,
  until timestamptz not null,
  primary key (directory, host)
);

-- Orders of the last hour: all workspaces share the authority's rate limit.
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
  -- The container configuration without the values of environment variables.
  config jsonb not null,
  env_sealed text not null,
  -- When the release last received traffic; only such releases can be rolled back to.
  live_at timestamptz,
  kept boolean not null default true,
  created_at timestamptz not null default now(),
  unique (workspace_id, id),
  unique (application_id, number),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

-- Containers that Slipway created for an application.
create table instances (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  server_id text not null,
  deployment_id text not null,
  release_id text not null,
  replica integer not null,
  -- In Slipway's network on the server, reserved as long as the row exists.
  address text not null,
  -- The HTTP port.
  port integer,
  container_id text,
  state text not null check (state in ('starting', 'serving', 'draining', 'stopped')),
  -- The proxy slot, while the proxy knows the container.
  slot integer,
  drain_until timestamptz,
  -- The deployment that replaced the container.
  drained_by text,
  -- How much of its output is in the log of its deployment.
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
  -- The configuration at the time of the request; null if a release is deployed again.
  add column config jsonb,
  add column env_sealed text,
  add column job_id text,
  add column actor_id text,
  -- The deployment cannot be canceled once traffic is switched.
  add column switched_at timestamptz,
  -- The previous release.
  add column replaced_release_id text,
  -- The requested state before the deployment.
  add column replaced_wanted text check (replaced_wanted in ('running', 'stopped')),
  -- The process that runs the deployment reverts it.
  add column cancel_requested_at timestamptz,
  add column log_cut integer not null default 0,
  add column started_at timestamptz,
  add column finished_at timestamptz,
  -- Until when the new containers are watched, and when one died.
  add column watched_until timestamptz,
  add column died_at timestamptz;
-- One deployment in progress and one pending per application.
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

-- Read from container labels, which anybody with access to Docker can set.
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

-- Means of five minutes.
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
