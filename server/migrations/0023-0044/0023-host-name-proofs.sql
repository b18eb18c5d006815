-- Names that the operator released, such as of a sold domain. The next workspace that claims one must prove it at the same time,
-- also the former holder.
create table released_host_names (
  host text primary key check (host = lower(host)),
  released_at timestamptz not null default now()
);

-- Since when the checks of a proven name have failed; null while they pass.
alter table host_names add column failing_since timestamptz;

create or replace function claim_host_name(claimant text, wanted text) returns boolean language plpgsql as $$
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
  -- Checked last: the statement above may have waited for the transaction that releases the name.
  if exists (select from released_host_names where host = wanted) then
    delete from host_names where host = wanted and workspace_id = claimant;
    return false;
  end if;
  return exists (select from host_names where host = wanted and workspace_id = claimant);
end $$;
