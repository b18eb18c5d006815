-- A mailed link proves control of the mailbox; one that an operator printed does not.
alter table single_use_tokens add column mailed boolean not null default false;
-- Earlier rows do not record whether the link was mailed.
update single_use_tokens set mailed = true where purpose = 'verify';

-- When an account last received a mail that an anonymous caller can cause.
create table sent_mails (
  user_id text not null references users on delete cascade,
  kind text not null check (kind in ('verify', 'reset', 'already_signed_up')),
  sent_at timestamptz not null default now(),
  primary key (user_id, kind)
);
