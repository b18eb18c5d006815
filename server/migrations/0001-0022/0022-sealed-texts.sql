-- Texts that may hold secrets are sealed.

alter table commands rename command to command_sealed;

alter table outputs rename text to text_sealed;
-- SQL cannot measure a sealed text.
alter table outputs add column bytes integer not null default 0, add column lines integer not null default 0;

alter table deliveries rename payload to payload_sealed;
