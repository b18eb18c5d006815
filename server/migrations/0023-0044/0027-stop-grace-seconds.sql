-- Named like stop_grace_period of Compose: the time between SIGTERM and SIGKILL.
alter table applications rename stop_seconds to stop_grace_seconds;

-- Services of a release have the field as well.
update releases set config = replace(config::text, '"stop_seconds":', '"stop_grace_seconds":')::jsonb;
update deployments set config = replace(config::text, '"stop_seconds":', '"stop_grace_seconds":')::jsonb;
