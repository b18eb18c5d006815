-- Processes that run jobs. Each sends a heartbeat every few seconds; its jobs are leased until alive_until.
create table workers (
  id text primary key,
  alive_until timestamptz not null
);

create table jobs (
  id text primary key,
  kind text not null,
  payload_sealed text not null,
  lane text not null,
  key text,
  group_name text,
  group_limit integer check (group_limit > 0),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  run_at timestamptz not null default now(),
  attempts integer not null check (attempts > 0),
  failures integer not null default 0,
  -- How often the worker died, or lost its lease, during this job.
  losses integer not null default 0,
  fence bigint not null default 0,
  worker text references workers,
  cancel_requested boolean not null default false,
  error_sealed text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((state = 'running') = (worker is not null)),
  check ((state in ('queued', 'running')) = (finished_at is null)),
  check ((group_name is null) = (group_limit is null))
);
create index on jobs (lane, run_at, id) where state = 'queued';
create index on jobs (key) where state = 'queued';
create index on jobs (group_name) where state = 'queued';
-- Enforces one running job per key in the database.
create unique index on jobs (key) where state = 'running';
create index on jobs (group_name) where state = 'running';
create index on jobs (worker) where state = 'running';
create index on jobs (finished_at) where finished_at is not null;

create table schedules (
  name text primary key,
  every_seconds integer not null check (every_seconds > 0),
  due_at timestamptz not null
);

-- Wakes the workers with "<lane> <milliseconds until it is due>". Relative, because clocks differ.
create function notify_job() returns trigger language plpgsql as $$
begin
  if new.state = 'queued' then
    perform pg_notify('jobs', new.lane || ' ' ||
      greatest(0, ceil(extract(epoch from new.run_at - clock_timestamp()) * 1000))::bigint);
  end if;
  if tg_op = 'UPDATE' and old.state = 'running' and new.state <> 'running' then
    -- Jobs that wait for the key or the group may be in another lane, or known to another worker.
    perform pg_notify('jobs', lane || ' 0') from jobs
      where state = 'queued' and key = new.key and run_at <= now() group by lane;
    perform pg_notify('jobs', lane || ' 0') from jobs
      where state = 'queued' and group_name = new.group_name and run_at <= now() group by lane;
  end if;
  if new.state = 'running' and new.cancel_requested then
    perform pg_notify('jobs_cancel', new.id);
  end if;
  return null;
end $$;
create trigger notify_change after insert or update on jobs for each row execute function notify_job();

-- Leases up to `most` jobs of a lane. One statement, so that a worker that freezes half way blocks no other worker;
-- a function, so that it reads after the lock was acquired.
create function claim_jobs(claimer text, seconds double precision, wanted text, kinds text[], most integer)
returns setof jobs language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7547930);
  insert into workers values (claimer, now() + make_interval(secs => seconds))
    on conflict (id) do update set alive_until = excluded.alive_until;
  return query
    with ready as (
      select id, group_name, group_limit, run_at,
        row_number() over (partition by coalesce(key, id) order by run_at, id) as nth_of_key
      from jobs q
      where state = 'queued' and lane = wanted and run_at <= now() and kind = any (kinds)
        and not exists (select from jobs r where r.state = 'running' and r.key = q.key)
    ), first_of_key as (
      select *, row_number() over (partition by coalesce(group_name, id) order by run_at, id) as nth_of_group
      from ready where nth_of_key = 1
    ), chosen as (
      select id from first_of_key f
      where group_name is null or nth_of_group <= group_limit - (
        select count(*) from jobs r where r.state = 'running' and r.group_name = f.group_name)
      order by run_at, id
      limit most
    ), taken as (
      select id from jobs where id in (select id from chosen) and state = 'queued' for update skip locked
    )
    update jobs set state = 'running', worker = claimer, fence = fence + 1
      where id in (select id from taken) returning *;
end $$;

-- Renews a worker's lease and returns the jobs that it still holds. Reads after the update, so that no other worker can free
-- one of them in between.
create function beat_worker(beater text, seconds double precision)
returns table (id text, fence bigint, cancel_requested boolean) language plpgsql as $$
#variable_conflict use_column
begin
  update workers set alive_until = now() + make_interval(secs => seconds) where workers.id = beater;
  return query select j.id, j.fence, j.cancel_requested from jobs j where j.state = 'running' and j.worker = beater;
end $$;
