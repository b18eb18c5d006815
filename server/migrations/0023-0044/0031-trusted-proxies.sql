alter table servers add column trusted_proxies text[] not null default '{}';
