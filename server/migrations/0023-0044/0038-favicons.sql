create table favicons (
  workspace_id text not null references workspaces on delete cascade,
  application_id text primary key,
  -- The release that was live when the favicon was fetched.
  release_id text not null,
  -- Unguessable, because browsers load the picture without a token.
  key text unique,
  type text,
  content bytea,
  check_at timestamptz not null,
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade,
  check ((key is null) = (content is null) and (key is null) = (type is null))
);
