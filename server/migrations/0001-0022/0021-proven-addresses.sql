-- The IP address at which Slipway last logged in with a confirmed host key, and the version of the server row it did so with.
-- An address that was only entered, or that only presented a host key, is never written here.
alter table servers
  add column proven_address text,
  add column proven_version integer;
