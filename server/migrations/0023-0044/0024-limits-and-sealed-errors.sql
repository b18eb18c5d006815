-- Mails that an anonymous caller can cause, of the last days: they are limited per account and in total.
alter table sent_mails drop constraint sent_mails_pkey;
create index on sent_mails (user_id, kind, sent_at);
create index on sent_mails (kind, sent_at);

-- Errors of deployments and steps can repeat output of builds and containers, and responses of receivers can repeat messages:
-- both are sealed.

-- A sentence of Slipway itself, without output; SQL reads it for the state of an application.
alter table deployments add column died_reason text;

alter table deployments alter column errors drop default;
alter table deployments alter column errors drop not null;
alter table deployments alter column errors type text using to_jsonb(errors)::text;
alter table deployments rename errors to errors_sealed;

alter table deployment_steps rename error to error_sealed;

alter table messages alter column answers drop default;
alter table messages alter column answers drop not null;
alter table messages alter column answers type text using answers::text;
alter table messages rename answers to answers_sealed;
