create table cloud_tokens (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  provider text not null,
  token_sealed text not null,
  -- Whose it is, in the words of the provider.
  account text,
  -- Why the provider does not take it, or what it may not do.
  error text,
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);
create index on cloud_tokens (workspace_id, lower(name), id);

-- What a server is at a cloud. Region and type stand with the server itself.
create table cloud_servers (
  server_id text primary key,
  workspace_id text not null,
  cloud_token_id text,
  provider text not null,
  origin text not null check (origin in ('created', 'imported')),
  -- The provider's own ids: null before it is made, and once the key was taken away again.
  cloud_id text,
  cloud_key_id text,
  -- What it was ordered with, as the provider's id and in words; of what was imported there are only words.
  image text,
  image_name text,
  -- How far its creation is, or where that failed; null once it has called.
  step text check (step in ('key', 'create', 'boot', 'call')),
  -- By when the last question that it be made is over, while it is not known what came of that.
  asked_at timestamptz,
  -- When the provider said that it has made it: some do not show it before a minute has passed.
  made_at timestamptz,
  -- Seconds of the step in which the provider answered: what its limit counts.
  waited_seconds double precision not null default 0,
  price_monthly double precision,
  currency text,
  -- What the provider last said of it.
  status text not null default 'unknown' check (status in ('starting', 'running', 'stopped', 'deleted', 'unknown')),
  address text,
  -- Where the server was until the provider moved it, and where it is looked for in vain.
  moved_from text,
  seen_at timestamptz,
  resized_from text,
  resized_at timestamptz,
  -- The provider's ids of others that carry its tag.
  duplicates text[] not null default '{}',
  created_at timestamptz not null default now(),
  unique (workspace_id, provider, cloud_id),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade,
  foreign key (workspace_id, cloud_token_id) references cloud_tokens (workspace_id, id) on delete set null (cloud_token_id)
);
create index on cloud_servers (cloud_token_id);

-- A line for a server that is here already brings no key along: that server has one.
alter table import_tokens
  alter column key_sealed drop not null,
  alter column public_key drop not null,
  -- Null where Slipway made it by itself, for a server that a cloud makes.
  alter column actor_id drop not null,
  add column server_id text,
  add foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade;
create index on import_tokens (server_id);
