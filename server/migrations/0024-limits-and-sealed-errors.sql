-- Every mail that anybody can have sent to an account, of the last days: they are limited for each account and for all.
alter table sent_mails drop constraint sent_mails_pkey;
create index on sent_mails (user_id, kind, sent_at);
create index on sent_mails (kind, sent_at);
