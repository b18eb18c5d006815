alter table deployments rename column died_at to crashed_at;
alter table deployments rename column died_reason to crash_reason;
update notifications
set events = array_replace(events, 'application_died', 'application_crashed')
where 'application_died' = any (events);
