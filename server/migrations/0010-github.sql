-- The GitHub App of this Slipway, where it was made by the manifest; else its keys are in the environment.
create table github_apps (
  -- The GitHub that it is at.
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

-- What an application of a repository is built from, and when it deploys by itself.
create table sources (
  application_id text primary key,
  workspace_id text not null,
  -- Null once its account was disconnected.
  integration_id text,
  -- It stays when the repository is renamed.
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
  -- What is built: known from the push that asked for it, or once the branch was looked up.
  add column commit jsonb,
  -- Whether it is built anew although the same was built before.
  add column rebuild boolean not null default false,
  -- How far what work on the server says was told: {work, offset}.
  add column followed jsonb,
  -- What GitHub was told of it last.
  add column reported_status text;
alter table releases
  add column commit jsonb,
  -- Of all that its image was built from: where it is the same, the image is, too.
  add column build_mark text;

-- The way in for CI: who knows the secret has the application deployed.
create table hooks (
  application_id text primary key,
  workspace_id text not null,
  -- It stands in the address.
  name text not null unique,
  secret_sealed text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

-- What came in from outside, once for each workspace that it is about.
create table deliveries (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  hook text not null check (hook in ('github', 'deploy')),
  -- As whoever sent it calls it: it is taken once.
  delivery text not null,
  event text not null,
  -- Those of one queue are looked at one after the other.
  queue text not null,
  -- Of a deploy hook.
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
  -- Of a tag: when its commit was made, for tags come in any order.
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
  -- Null where it is about none.
  application_id text,
  application_name text,
  status text not null check (status in ('deployed', 'ignored', 'failed')),
  summary text not null,
  deployment_id text,
  position integer not null,
  primary key (delivery_id, position),
  foreign key (workspace_id, delivery_id) references deliveries (workspace_id, id) on delete cascade
);

-- Which events were handed to those who listen.
alter table events add column relayed boolean not null default true;
alter table events alter column relayed set default false;
create index on events (id) where not relayed;

-- What somebody asked of the release that is there, such as to go back or to start, is not replaced by a push: that waits
-- behind it.
drop index deployments_application_id_idx1;
create unique index on deployments (application_id, (type in ('deploy_application', 'build_application')))
  where status = 'queued';
