-- Events of an account: logins, passwords, two-factor, API tokens. They belong to the user, not to a workspace.
create table account_events (
  id text primary key,
  user_id text not null references users on delete cascade,
  type text not null,
  -- Null for other people, whose address the user must not see.
  address text,
  agent text,
  via text not null check (via in ('public', 'session', 'api_token', 'member', 'operator')),
  detail text,
  -- Hash of the browser's cookie, which identifies the device at a later login.
  browser_hash text,
  -- A repetition within 15 minutes is counted here instead of filling the table.
  count integer not null default 1,
  mailed boolean not null default false,
  created_at timestamptz not null default now(),
  last_at timestamptz not null default now()
);
create index on account_events (user_id, id desc);
create index on account_events (created_at);

-- Hash of the browser that signed up: only that browser confirms the address without choosing a password again.
alter table single_use_tokens add column browser_hash text;

-- Invites of the last days, also of deleted workspaces, for the limits of a user and the instance.
create table sent_invites (
  user_id text references users on delete set null,
  sent_at timestamptz not null default now()
);
create index on sent_invites (user_id, sent_at);
create index on sent_invites (sent_at);
