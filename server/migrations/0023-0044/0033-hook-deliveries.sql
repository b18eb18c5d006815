-- Only the newest deliveries of a deploy hook are kept.
create index on deliveries (workspace_id, application_id, id desc) where application_id is not null;
