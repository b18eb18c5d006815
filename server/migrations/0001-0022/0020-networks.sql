-- Whether the applications of a project reach each other over a network of the project.
alter table projects add column network boolean not null default false;

-- The Docker networks of a container: the one of its address, and that of its project.
alter table instances
  add column network text,
  add column project_network text;
-- All applications of a server shared one network. Each leaves it with its next deployment.
update instances set network = 'slipway-' || server_id where address is not null;

-- The network of the project is part of the configuration of an application.
create function project_network_changed() returns trigger language plpgsql as $$
begin
  update applications set revision = revision + 1 where workspace_id = new.workspace_id and project_id = new.id;
  return null;
end $$;
create trigger network_changed after update of network on projects
  for each row when (old.network is distinct from new.network) execute function project_network_changed();
