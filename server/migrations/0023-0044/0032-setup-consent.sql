-- When a person last started a setup. Deployments may repeat setup only after that.
alter table servers add column setup_consented_at timestamptz;
update servers set setup_consented_at = created_at where exists (
  select from events where events.workspace_id = servers.workspace_id and type = 'server.setup_started'
    and target_id = servers.id and via <> 'system'
);
