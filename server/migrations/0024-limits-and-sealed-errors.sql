-- Every mail that anybody can have sent to an account, of the last days: they are limited for each account and for all.
alter table sent_mails drop constraint sent_mails_pkey;
create index on sent_mails (user_id, kind, sent_at);
create index on sent_mails (kind, sent_at);

-- Why deployments and their steps failed can repeat what builds and containers printed, and answers of receivers repeat what
-- they said: they are sealed. Values that are here already are marked, and sealed when Slipway starts.

-- A sentence of Slipway itself, without output; SQL reads it for the state of an application.
alter table deployments add column died_reason text;
update deployments set died_reason = errors[1] where died_at is not null;

-- Null where there are none.
alter table deployments alter column errors drop default;
alter table deployments alter column errors drop not null;
alter table deployments alter column errors type text using 'plain:' || nullif(to_jsonb(errors), '[]')::text;
alter table deployments rename errors to errors_sealed;

alter table deployment_steps rename error to error_sealed;
update deployment_steps set error_sealed = 'plain:' || error_sealed where error_sealed is not null;

alter table messages alter column answers drop default;
alter table messages alter column answers drop not null;
alter table messages alter column answers type text using 'plain:' || nullif(answers, '[]')::text;
alter table messages rename answers to answers_sealed;
