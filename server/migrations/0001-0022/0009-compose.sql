alter table deployments
  -- The release number is reserved for the deployment, even if it fails.
  add column made_number integer,
  add column log_deleted_at timestamptz;

alter table applications
  -- The compose file as entered; it may hold secrets.
  add column compose_sealed text,
  add column profiles text[] not null default '{}',
  -- The services of the file, for lists.
  add column services text[],
  -- Old containers stop before new ones start.
  add column stop_first boolean not null default false;
create trigger revise_compose before update of compose_sealed, profiles, stop_first on applications
  for each row execute function revise_application();

alter table releases add column compose_sealed text;

alter table deployments
  add column compose_sealed text,
  -- Whether the initiator may give containers host access.
  add column may_empower boolean not null default false,
  -- The action per service, decided once the running containers are known.
  add column plan jsonb;

-- Empty for an application of a single image.
alter table domains add column service text not null default '';
alter table published_ports
  add column service text not null default '',
  -- The address that the server listens on; empty for all.
  add column host text not null default '';

alter table instances
  add column service text not null default '',
  -- Null for a container without a proxy route.
  alter column address drop not null,
  drop constraint instances_deployment_id_replica_key,
  add unique (deployment_id, service, replica),
  drop constraint instances_state_check,
  -- held: stopped to make room while its replacement starts.
  add constraint instances_state_check check (state in ('starting', 'serving', 'held', 'draining', 'stopped'));

-- Null for an application of a single image.
alter table servers add column compose_version text;

alter table published_ports
  drop constraint published_ports_application_id_source_key,
  add unique (application_id, host, source);
