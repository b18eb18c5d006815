-- The IP address at which Slipway last logged in with a confirmed host key, and the version of the server row it did so with.
-- An address that was merely typed, or that only showed a host key, is never written here.
alter table servers
  add column proven_address text,
  add column proven_version integer;
