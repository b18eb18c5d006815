-- The GitHub App that was created from the manifest; otherwise its keys are in the environment.
create table github_apps (
  -- The URL of the GitHub instance.
  url text primary key,
  app_id bigint not null,
  slug text not null,
  name text not null,
  client_id text not null,
  client_secret_sealed text not null,
  webhook_secret_sealed text not null,
  key_sealed text not null,
  created_at timestamptz not null default now()
);

create table integrations (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  provider text not null,
  installation_id bigint not null,
  account_id bigint not null,
  account text not null,
  account_type text not null,
  avatar text,
  repositories text not null check (repositories in ('all', 'selected')),
  status text not null default 'active' check (status in ('active', 'suspended', 'removed')),
  created_at timestamptz not null default now(),
  unique (workspace_id, id),
  unique (workspace_id, provider, installation_id)
);
create index on integrations (provider, installation_id);

-- What a repository application is built from, and when it deploys automatically.
create table sources (
  application_id text primary key,
  workspace_id text not null,
  -- Null once the account was disconnected.
  integration_id text,
  -- Does not change when the repository is renamed.
  repository_id bigint not null,
  repository text not null,
  branch text not null,
  folder text not null,
  builder text not null,
  dockerfile text not null,
  generated text,
  target text not null,
  build_args jsonb not null,
  build_secrets text[] not null,
  submodules boolean not null,
  lfs boolean not null,
  build_memory bigint,
  build_cpus double precision,
  build_minutes integer not null,
  deploy_on text not null check (deploy_on in ('push', 'tag', 'nothing')),
  tags text not null,
  watch_paths text[] not null,
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade,
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id) on delete set null (integration_id)
);
create index on sources (workspace_id, repository_id);
create index on sources (workspace_id, integration_id);
create trigger revise_updated after update on sources referencing new table as changed
  for each statement execute function revise_owner();

alter table deployments
  -- The commit to build: known from the push, or after the branch was resolved.
  add column commit jsonb,
  -- Whether to build again although the image exists.
  add column rebuild boolean not null default false,
  -- How much output of the work on the server was read: {work, offset}.
  add column followed jsonb,
  -- The commit status that GitHub received last.
  add column reported_status text;
alter table releases
  add column commit jsonb,
  -- A hash of everything the image was built from: equal hashes share an image.
  add column build_mark text;

-- Deploy hooks for CI: the secret authorizes a deployment.
create table hooks (
  application_id text primary key,
  workspace_id text not null,
  -- Part of the URL.
  name text not null unique,
  secret_sealed text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

-- Deliveries from outside, one row per affected workspace.
create table deliveries (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  hook text not null check (hook in ('github', 'deploy')),
  -- The ID that the sender gave; each is accepted once.
  delivery text not null,
  event text not null,
  -- Deliveries of one queue are handled in order.
  queue text not null,
  -- Set for a deploy hook.
  application_id text,
  installation_id bigint,
  repository text,
  ref text,
  sha text,
  message text,
  sender text,
  headers jsonb not null default '{}',
  payload text not null,
  status text not null default 'waiting' check (status in ('waiting', 'deployed', 'ignored', 'failed')),
  redelivery_of text,
  -- The commit time of a tag, because tags arrive in any order.
  tagged_at timestamptz,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  unique (workspace_id, id),
  unique (workspace_id, hook, delivery),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index on deliveries (workspace_id, id desc);
create index on deliveries (received_at);
create index on deliveries (workspace_id, queue, id) where status = 'waiting';

create table outcomes (
  workspace_id text not null,
  delivery_id text not null,
  -- Null if no application is affected.
  application_id text,
  application_name text,
  status text not null check (status in ('deployed', 'ignored', 'failed')),
  summary text not null,
  deployment_id text,
  position integer not null,
  primary key (delivery_id, position),
  foreign key (workspace_id, delivery_id) references deliveries (workspace_id, id) on delete cascade
);

-- Events that were handed to listeners.
alter table events add column relayed boolean not null default true;
alter table events alter column relayed set default false;
create index on events (id) where not relayed;

-- A push does not replace an operation on the live release, such as a rollback or a start. The push waits
-- behind it.
drop index deployments_application_id_idx1;
create unique index on deployments (application_id, (type in ('deploy_application', 'build_application')))
  where status = 'queued';
