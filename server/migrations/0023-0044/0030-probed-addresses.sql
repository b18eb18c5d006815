-- The addresses that a check called, as [{"host", "status"}]; the other columns describe the worst response.
alter table checks add column probes jsonb not null default '[]';
