-- A project groups applications and servers, and holds variables that its applications inherit.
alter table projects add column description text not null default '';
create index on projects (workspace_id, lower(name), id);

alter table applications
  add column project_id text,
  add foreign key (workspace_id, project_id) references projects (workspace_id, id) on delete set null (project_id);
create index on applications (workspace_id, project_id) where project_id is not null;

-- The notes of the template, shown after the deployment; they may contain passwords.
alter table applications add column notes_sealed text;

-- An application is in at most one project, a server may serve several.
create table project_servers (
  workspace_id text not null,
  project_id text not null,
  server_id text not null,
  primary key (project_id, server_id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id) on delete cascade,
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on project_servers (workspace_id, server_id);

create table project_variables (
  id text primary key,
  workspace_id text not null,
  project_id text not null,
  position integer not null,
  key text not null,
  value_sealed text not null,
  updated_at timestamptz not null default now(),
  unique (project_id, key) deferrable initially deferred,
  foreign key (workspace_id, project_id) references projects (workspace_id, id) on delete cascade
);

-- Inherited variables are part of the configuration of an application.
create function project_variables_changed() returns trigger language plpgsql as $$
begin
  update applications set revision = revision + 1
  where (workspace_id, project_id) in (select workspace_id, project_id from changed);
  return null;
end $$;
create trigger revise_project before update of project_id on applications
  for each row execute function revise_application();
create trigger added after insert on project_variables referencing new table as changed
  for each statement execute function project_variables_changed();
create trigger changed after update on project_variables referencing new table as changed
  for each statement execute function project_variables_changed();
create trigger removed after delete on project_variables referencing old table as changed
  for each statement execute function project_variables_changed();

-- Credentials of image registries. The scope is a prefix of image names.
create table registries (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  kind text not null check (kind in ('docker_hub', 'ghcr', 'gitlab', 'other')),
  host text not null,
  scope text not null,
  username text not null,
  password_sealed text not null,
  error text,
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  unique (workspace_id, id),
  unique (workspace_id, host, scope)
);

-- Templates of a workspace; built-in templates are files.
create table templates (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  description text not null,
  category text not null,
  -- Further columns for lists, so that a list reads no files.
  listed jsonb not null,
  template_sealed text not null,
  compose_sealed text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);

-- Feedback for the operator; it remains when its workspace or author is deleted.
create table feedback (
  id text primary key,
  workspace_id text references workspaces on delete set null,
  user_id text references users on delete set null,
  email text not null,
  kind text not null,
  message text not null,
  page text not null,
  created_at timestamptz not null default now()
);
