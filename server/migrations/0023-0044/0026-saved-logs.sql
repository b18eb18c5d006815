-- The output of containers, saved before they are removed.
create table saved_logs (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text not null,
  release integer not null,
  deployment_id text,
  service text not null default '',
  container_id text not null,
  container_name text not null,
  exit_code integer,
  restarts integer not null default 0,
  lines integer not null,
  bytes integer not null,
  truncated boolean not null default false,
  first_at timestamptz not null,
  last_at timestamptz not null,
  saved_at timestamptz not null default now(),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade,
  unique (workspace_id, application_id, container_id),
  unique (workspace_id, id)
);
create index on saved_logs (application_id, saved_at);
create index on saved_logs (saved_at);

create table saved_log_chunks (
  workspace_id text not null,
  log_id text not null,
  seq integer not null,
  content_sealed text not null,
  lines integer not null,
  last_at timestamptz not null,
  primary key (log_id, seq),
  foreign key (workspace_id, log_id) references saved_logs (workspace_id, id) on delete cascade
);
-- The content is compressed before it is sealed.
alter table saved_log_chunks alter column content_sealed set storage external;

alter table applications
  add column log_days integer not null default 7,
  add column log_megabytes integer not null default 50;
