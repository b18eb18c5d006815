alter table deployments
  -- The number of the release that it made, which no other gets, whatever becomes of it.
  add column made_number integer,
  add column log_deleted_at timestamptz;

alter table applications
  -- The compose file as somebody wrote it; it may hold secrets.
  add column compose_sealed text,
  add column profiles text[] not null default '{}',
  -- The services that the file names, for lists.
  add column services text[],
  -- The old containers end before the new ones start.
  add column stop_first boolean not null default false;
create trigger revise_compose before update of compose_sealed, profiles, stop_first on applications
  for each row execute function revise_application();

alter table releases add column compose_sealed text;

alter table deployments
  add column compose_sealed text,
  -- Whether who asked for it may give containers power over the server.
  add column may_empower boolean not null default false,
  -- What it does with each service, decided once it is known what runs.
  add column plan jsonb;

-- Empty where the application is a single image.
alter table domains add column service text not null default '';
alter table published_ports
  add column service text not null default '',
  -- Where the server listens for it; empty for all its addresses.
  add column host text not null default '';

alter table instances
  add column service text not null default '',
  -- One that the proxy does not reach has none in Slipway's network.
  alter column address drop not null,
  drop constraint instances_deployment_id_replica_key,
  add unique (deployment_id, service, replica),
  drop constraint instances_state_check,
  -- held: stopped while what takes its place is started, which it makes room for.
  add constraint instances_state_check check (state in ('starting', 'serving', 'held', 'draining', 'stopped'));

-- Null where there is none.
alter table servers add column compose_version text;

alter table published_ports
  drop constraint published_ports_application_id_source_key,
  add unique (application_id, host, source);
