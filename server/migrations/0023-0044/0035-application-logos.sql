-- Logo of the template that the application was created from.
alter table applications add column logo text;
