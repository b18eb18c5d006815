-- A link that was mailed shows whose mailbox it is; one that an operator printed does not.
alter table single_use_tokens add column mailed boolean not null default false;
-- Until now all but the printed ones were mailed, and those cannot be told apart any more.
update single_use_tokens set mailed = true where purpose = 'verify';

-- When an account last got a mail that anybody can have sent to it.
create table sent_mails (
  user_id text not null references users on delete cascade,
  kind text not null check (kind in ('verify', 'reset', 'already_signed_up')),
  sent_at timestamptz not null default now(),
  primary key (user_id, kind)
);
