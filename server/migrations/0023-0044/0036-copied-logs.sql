-- The output of running containers is copied as well, in case someone removes them by hand: the position of its last line.
alter table saved_logs add column copied_to text;
