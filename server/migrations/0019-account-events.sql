-- What happened to a person's account: log-ins, passwords, two-factor, API tokens. It belongs to the person, not to a workspace.
create table account_events (
  id text primary key,
  user_id text not null references users on delete cascade,
  type text not null,
  -- Null where it was not the person: an address of somebody else is not theirs to see.
  address text,
  agent text,
  via text not null check (via in ('public', 'session', 'api_token', 'member', 'operator')),
  detail text,
  -- The browser's cookie, hashed, by which a later log-in is known to come from the same device.
  browser_hash text,
  -- The same once more within a quarter of an hour is counted here instead of filling the table.
  count integer not null default 1,
  mailed boolean not null default false,
  created_at timestamptz not null default now(),
  last_at timestamptz not null default now()
);
create index on account_events (user_id, id desc);
create index on account_events (created_at);

-- The browser that signed up, hashed: only that one confirms the address without choosing a password again.
alter table single_use_tokens add column browser_hash text;

-- Invites of the last days, also of workspaces that are gone: what a person and the instance may send is limited.
create table sent_invites (
  user_id text references users on delete set null,
  sent_at timestamptz not null default now()
);
create index on sent_invites (user_id, sent_at);
create index on sent_invites (sent_at);
