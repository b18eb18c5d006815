-- What an application is told to run, its labels and the arguments of its builds may hold secrets: they are sealed as its
-- environment is. Values that are here already are marked, and sealed when Slipway starts.

-- A column that a trigger names cannot be changed.
drop trigger revise on applications;
alter table applications alter column command type text using 'plain:' || to_jsonb(command)::text;
alter table applications rename command to command_sealed;
create trigger revise before update of image, command_sealed, port, health, memory_limit, cpu_limit, replicas, restart,
  stop_seconds, drain_seconds on applications for each row execute function revise_application();

alter table labels rename value to value_sealed;
update labels set value_sealed = 'plain:' || value_sealed;

-- Null where there are none.
alter table sources alter column build_args drop not null;
alter table sources alter column build_args type text using 'plain:' || nullif(build_args, '[]')::text;
alter table sources rename build_args to build_args_sealed;
alter table sources rename generated to generated_sealed;
update sources set generated_sealed = 'plain:' || generated_sealed;

-- What a release was configured as: the command, the labels and how it was built stand apart, sealed. SQL reads the rest.
alter table releases add column config_sealed text;
alter table deployments add column config_sealed text;
update releases set
  config_sealed = 'plain:' || jsonb_strip_nulls(jsonb_build_object('command', config->'command', 'labels', config->'labels',
    'build_args', config->'build'->'build_args', 'generated', config->'build'->'generated'))::text,
  config = (config - 'command' - 'labels') #- '{build,build_args}' #- '{build,generated}';
update deployments set
  config_sealed = 'plain:' || jsonb_strip_nulls(jsonb_build_object('command', config->'command', 'labels', config->'labels',
    'build_args', config->'build'->'build_args', 'generated', config->'build'->'generated'))::text,
  config = (config - 'command' - 'labels') #- '{build,build_args}' #- '{build,generated}'
  where config is not null;
