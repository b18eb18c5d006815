-- The command, labels and build arguments may hold secrets: they are sealed like environment variables.

-- PostgreSQL refuses to change the type of a column that a trigger names.
drop trigger revise on applications;
alter table applications alter column command type text using to_jsonb(command)::text;
alter table applications rename command to command_sealed;
create trigger revise before update of image, command_sealed, port, health, memory_limit, cpu_limit, replicas, restart,
  stop_seconds, drain_seconds on applications for each row execute function revise_application();

alter table labels rename value to value_sealed;

alter table sources alter column build_args drop not null;
alter table sources alter column build_args type text using build_args::text;
alter table sources rename build_args to build_args_sealed;
alter table sources rename generated to generated_sealed;

-- The command, labels and build settings of a configuration, sealed. SQL reads the rest.
alter table releases add column config_sealed text;
alter table deployments add column config_sealed text;
