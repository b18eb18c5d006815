create table cloud_tokens (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  provider text not null,
  token_sealed text not null,
  -- The account name that the provider reports.
  account text,
  -- Why the provider rejects the token, or which permission is missing.
  error text,
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);
create index on cloud_tokens (workspace_id, lower(name), id);

-- The cloud server behind a server. Region and type are columns of the server.
create table cloud_servers (
  server_id text primary key,
  workspace_id text not null,
  cloud_token_id text,
  provider text not null,
  origin text not null check (origin in ('created', 'imported')),
  -- Provider IDs: null before creation, and once the key was removed.
  cloud_id text,
  cloud_key_id text,
  -- The order as provider ID and label; imported servers have only a label.
  image text,
  image_name text,
  -- The creation step in progress or failed; null once the server has called back.
  step text check (step in ('key', 'create', 'boot', 'call')),
  -- When the latest creation request times out, while its result is unknown.
  asked_at timestamptz,
  -- When the provider confirmed creation: some list the server only after a minute.
  made_at timestamptz,
  -- Seconds in which the provider responded; the limit of the step counts these.
  waited_seconds double precision not null default 0,
  price_monthly double precision,
  currency text,
  -- The latest state at the provider.
  status text not null default 'unknown' check (status in ('starting', 'running', 'stopped', 'deleted', 'unknown')),
  address text,
  -- The former address, where the server no longer responds after the provider moved it.
  moved_from text,
  seen_at timestamptz,
  resized_from text,
  resized_at timestamptz,
  -- Provider IDs of other servers with the same tag.
  duplicates text[] not null default '{}',
  created_at timestamptz not null default now(),
  unique (workspace_id, provider, cloud_id),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade,
  foreign key (workspace_id, cloud_token_id) references cloud_tokens (workspace_id, id) on delete set null (cloud_token_id)
);
create index on cloud_servers (cloud_token_id);

-- An import command for an existing server has no key: the server has one.
alter table import_tokens
  alter column key_sealed drop not null,
  alter column public_key drop not null,
  -- Null if Slipway created it for a new cloud server.
  alter column actor_id drop not null,
  add column server_id text,
  add foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade;
create index on import_tokens (server_id);
