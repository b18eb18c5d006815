alter table certificates add column valid_from timestamptz;
