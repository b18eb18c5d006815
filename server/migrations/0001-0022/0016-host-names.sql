-- A host name belongs to at most one workspace of the whole instance. A row is created with the first domain that uses the name and
-- deleted with the last one, by the triggers below, so that no code path can add a domain without claiming its name.
create table host_names (
  host text primary key check (host = lower(host)),
  workspace_id text not null references workspaces on delete cascade,
  -- How the workspace proved control of the name; without a proof, another workspace that proves it takes the name over.
  proof text check (proof in ('server', 'dns_txt')),
  verified_at timestamptz,
  -- Result of the last check: the DNS leads to an address that is no server of the workspace, so only a TXT record proves the name.
  needs_txt boolean not null default false,
  problem text,
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  unique (workspace_id, host),
  check ((proof is null) = (verified_at is null))
);

-- Existing names go to the workspace that added them first.
insert into host_names (host, workspace_id, created_at)
  select distinct on (host) host, workspace_id, created_at from domains order by host, created_at, id;

-- A certificate and its private key exist only as long as the workspace holds the name.
delete from certificates c where not exists (
  select from host_names n where n.workspace_id = c.workspace_id and n.host = c.host);
alter table certificates add foreign key (workspace_id, host)
  references host_names (workspace_id, host) on delete cascade;

-- Returns whether the workspace holds the name afterwards. A wildcard overlaps the name below which it stands and every name that it
-- covers. Those have rows of their own, so a claim of a wildcard waits for all other claims; claims of plain names do not wait for each
-- other.
create function claim_host_name(claimant text, wanted text) returns boolean language plpgsql as $$
declare
  base text := case when wanted like '*.%' then substr(wanted, 3) end;
  lock_key bigint := hashtextextended('host_names', 0);
begin
  if base is null then
    perform pg_advisory_xact_lock_shared(lock_key);
    if exists (select from host_names where workspace_id <> claimant
        and host in (wanted, '*.' || wanted, '*.' || substr(wanted, strpos(wanted, '.') + 1))) then
      return false;
    end if;
  else
    perform pg_advisory_xact_lock(lock_key);
    if exists (select from host_names where workspace_id <> claimant
        and (host in (wanted, base) or substr(host, strpos(host, '.') + 1) = base)) then
      return false;
    end if;
  end if;
  -- Locks an existing row, so that a concurrent deletion of the last domain does not remove it.
  insert into host_names as n (host, workspace_id) values (wanted, claimant)
    on conflict (host) do update set created_at = n.created_at where n.workspace_id = excluded.workspace_id;
  return exists (select from host_names where host = wanted and workspace_id = claimant);
end $$;

create function claim_domain_host() returns trigger language plpgsql as $$
begin
  if not claim_host_name(new.workspace_id, new.host) then
    raise exception 'The host name % belongs to another workspace.', new.host using errcode = 'unique_violation';
  end if;
  return new;
end $$;

create function release_domain_host() returns trigger language plpgsql as $$
begin
  perform from host_names where host = old.host and workspace_id = old.workspace_id for update;
  delete from host_names n where n.host = old.host and n.workspace_id = old.workspace_id and not exists (
    select from domains d where d.workspace_id = n.workspace_id and d.host = n.host);
  return null;
end $$;

create trigger claim_host_on_insert before insert on domains for each row execute function claim_domain_host();
create trigger claim_host_on_update before update of host on domains for each row
  when (old.host is distinct from new.host) execute function claim_domain_host();
create trigger release_host_on_delete after delete on domains for each row execute function release_domain_host();
create trigger release_host_on_update after update of host on domains for each row
  when (old.host is distinct from new.host) execute function release_domain_host();

-- Responses to HTTP-01 challenges, each for the proxy of one server and one order. Those of interrupted orders expire.
create table acme_challenges (
  workspace_id text not null references workspaces on delete cascade,
  server_id text not null,
  host text not null,
  token text not null check (token ~ '^[A-Za-z0-9_-]+$'),
  key_authorization text not null check (key_authorization ~ '^[A-Za-z0-9_.-]+$'),
  expires_at timestamptz not null,
  primary key (server_id, host, token),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on acme_challenges (expires_at);

-- Renewals of certificates in use are counted apart from new orders, which cannot use up their share.
alter table acme_orders add column renewal boolean not null default false;

-- A refusal pauses only the name that it is about.
delete from acme_pauses where host = '';
