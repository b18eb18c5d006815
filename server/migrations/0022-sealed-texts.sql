-- Texts that may hold secrets are sealed. SQL cannot seal: what is here already is marked, and sealed when Slipway starts.

alter table commands rename command to command_sealed;
update commands set command_sealed = 'plain:' || command_sealed;

alter table outputs rename text to text_sealed;
-- Of the text, which nobody can measure once it is sealed.
alter table outputs add column bytes integer not null default 0, add column lines integer not null default 0;
update outputs set bytes = octet_length(text_sealed),
  lines = length(text_sealed) - length(replace(text_sealed, e'\n', '')),
  text_sealed = 'plain:' || text_sealed;

alter table deliveries rename payload to payload_sealed;
update deliveries set payload_sealed = 'plain:' || payload_sealed;
