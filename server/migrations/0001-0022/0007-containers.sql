-- Until when the container list of the server follows Docker events.
alter table servers add column containers_live boolean not null default false;

create table containers (
  workspace_id text not null,
  server_id text not null,
  id text not null,
  name text not null,
  image text not null,
  image_id text not null,
  state text not null check (state in ('created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead')),
  health text check (health in ('starting', 'healthy', 'unhealthy')),
  exit_code integer,
  restarts integer not null default 0,
  ports jsonb not null default '[]',
  project text,
  service text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- The latest metrics while the container runs.
  cpu real,
  memory_used bigint,
  memory_limit bigint,
  -- Increments with every reading, so that an older one does not replace a newer one.
  revision integer not null default 1,
  primary key (server_id, id),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on containers (workspace_id, server_id);

alter table commands add column container_name text;
create index on commands (workspace_id, server_id, container_id, id desc) where container_id is not null;

create table pulls (
  id text primary key,
  workspace_id text not null,
  server_id text not null,
  image text not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  error text,
  layers jsonb not null default '[]',
  -- The process that runs it; notified when a user cancels.
  job_id text,
  actor_id text,
  actor_name text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (workspace_id, id),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on pulls (workspace_id, server_id, id desc);
-- An equal request joins the one in progress.
create unique index on pulls (server_id, image) where status in ('queued', 'running');

create table container_samples (
  workspace_id text not null,
  server_id text not null,
  container_id text not null,
  at timestamptz not null,
  cpu real not null,
  memory_used bigint not null,
  memory_limit bigint not null,
  network_in bigint not null,
  network_out bigint not null,
  disk_read bigint not null,
  disk_written bigint not null,
  primary key (server_id, container_id, at),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on container_samples (at);

-- Means of five minutes.
create table container_rollups (
  workspace_id text not null,
  server_id text not null,
  container_id text not null,
  at timestamptz not null,
  cpu real not null,
  memory_used bigint not null,
  memory_limit bigint not null,
  network_in bigint not null,
  network_out bigint not null,
  disk_read bigint not null,
  disk_written bigint not null,
  primary key (server_id, container_id, at),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on container_rollups (at);

-- Docker does not end a shell when its client disconnects, so shells without a holder are ended later.
create table container_shells (
  id text primary key,
  workspace_id text not null,
  server_id text not null,
  container_id text not null,
  held_until timestamptz not null,
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on container_shells (held_until);
