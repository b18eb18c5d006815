-- What printed the output of a deployment; null for other output, and for deployments before this column.
alter table outputs add column origin text check (origin in ('slipway', 'build', 'container'));
