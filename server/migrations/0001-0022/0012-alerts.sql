-- The exact subject of an event whose target is its parent, such as the deployment of an application.
alter table events add column about text;

create table alerts (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  kind text not null,
  enabled boolean not null default true,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  comparison text check (comparison in ('above', 'below')),
  threshold double precision,
  clear_threshold double precision,
  for_seconds integer not null,
  clear_seconds integer not null,
  window_seconds integer,
  cooldown_seconds integer not null,
  repeat_seconds integer,
  -- The expected response of an HTTP check.
  http_check jsonb,
  scope_kind text not null check (scope_kind in ('all', 'server', 'project', 'application', 'container')),
  scope_id text,
  scope_container text,
  all_channels boolean not null default true,
  muted_until timestamptz,
  windows jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);
create index on alerts (workspace_id, lower(name), id);

alter table notifications
  add column enabled boolean not null default true,
  add column settings_sealed text,
  add column events text[] not null default '{}',
  add column paused_at timestamptz,
  -- Why the channel is failing or was paused.
  add column reason text,
  add column failing_since timestamptz,
  -- Since when the receiver rejects all messages; null for other failures.
  add column refused_since timestamptz,
  -- Consecutive failures; the retry backoff grows with them.
  add column failures integer not null default 0,
  add column next_try_at timestamptz,
  add column last_sent_at timestamptz,
  add column updated_at timestamptz not null default now();

create table alert_channels (
  workspace_id text not null,
  alert_id text not null,
  notification_id text not null,
  primary key (alert_id, notification_id),
  foreign key (workspace_id, alert_id) references alerts (workspace_id, id) on delete cascade,
  foreign key (workspace_id, notification_id) references notifications (workspace_id, id) on delete cascade
);
create index on alert_channels (workspace_id, notification_id);

-- One occurrence of an alert on a server, container, application or certificate.
create table incidents (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  alert_id text,
  alert_name text not null,
  kind text not null,
  severity text not null,
  state text not null check (state in ('pending', 'firing', 'resolved')),
  summary text not null,
  subject_kind text not null,
  subject_id text not null,
  subject_name text not null,
  server_id text,
  application_id text,
  deployment_id text,
  value double precision,
  threshold double precision,
  -- Facts and log lines.
  cause_sealed text,
  began_at timestamptz not null,
  fired_at timestamptz,
  notified_at timestamptz,
  -- Without a notification at the start, none is sent at the end.
  notification_count integer not null default 0,
  muted_until timestamptz,
  resolved_at timestamptz,
  resolved_reason text,
  unique (workspace_id, id),
  foreign key (workspace_id, alert_id) references alerts (workspace_id, id) on delete set null (alert_id)
);
create unique index incidents_open on incidents (alert_id, subject_id) where state <> 'resolved';
create index on incidents (workspace_id, id desc);
create index on incidents (alert_id, subject_id, notified_at);
create index on incidents (resolved_at) where state = 'resolved';

-- Counted failures of containers: restarts by Docker and OOM kills.
create table container_troubles (
  workspace_id text not null,
  server_id text not null,
  container_id text not null,
  kind text not null check (kind in ('restart', 'oom')),
  times integer not null,
  at timestamptz not null default now(),
  foreign key (workspace_id, server_id) references servers (workspace_id, id) on delete cascade
);
create index on container_troubles (at);
create index on container_troubles (server_id, container_id, at);

-- When state, health or restarts changed; metrics change all the time.
alter table containers add column observed_at timestamptz not null default now();
create index on containers (observed_at);

create function observe_container() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.state, new.health, new.exit_code, new.restarts, new.started_at, new.application_id)
    is not distinct from (old.state, old.health, old.exit_code, old.restarts, old.started_at, old.application_id) then
    return new;
  end if;
  new.observed_at := clock_timestamp();
  -- A count that goes down belongs to another run: Docker resets it at a manual start.
  if tg_op = 'UPDATE' and new.restarts > old.restarts then
    -- Restarts before the server was watched may be old; a container that has just started had at least one.
    insert into container_troubles (workspace_id, server_id, container_id, kind, times)
    select new.workspace_id, new.server_id, new.id, 'restart', case when followed then new.restarts - old.restarts else 1 end
    from (
      select containers_live and coalesce(watched_until > now(), false) as followed from servers
      where workspace_id = new.workspace_id and id = new.server_id
    ) server
    where followed or new.started_at > now() - interval '1 minute';
  end if;
  return new;
end $$;
create trigger observe before insert or update on containers for each row execute function observe_container();

-- Results of HTTP checks.
create table checks (
  workspace_id text not null,
  alert_id text not null,
  application_id text not null,
  at timestamptz not null,
  ok boolean not null,
  url text not null,
  status integer,
  latency_ms integer,
  error text,
  primary key (alert_id, application_id, at),
  foreign key (workspace_id, alert_id) references alerts (workspace_id, id) on delete cascade,
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index on checks (at);

-- Messages of a channel, sent in this order.
create table messages (
  id text primary key,
  workspace_id text not null,
  notification_id text not null,
  position bigint generated always as identity,
  -- Deduplicates messages.
  key text not null,
  kind text not null check (kind in ('started', 'reminder', 'over', 'happened', 'test')),
  event text not null,
  severity text not null,
  incident_id text,
  title text not null,
  content_sealed text not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed')),
  tries integer not null default 0,
  answers jsonb not null default '[]',
  created_at timestamptz not null default now(),
  -- A message fails after a day; a resend restarts the day.
  waiting_since timestamptz not null default now(),
  sent_at timestamptz,
  unique (workspace_id, id),
  unique (notification_id, key),
  foreign key (workspace_id, notification_id) references notifications (workspace_id, id) on delete cascade,
  foreign key (workspace_id, incident_id) references incidents (workspace_id, id) on delete set null (incident_id)
);
create index on messages (notification_id, position) where status = 'waiting';
create index on messages (notification_id, id desc);
create index on messages (incident_id) where incident_id is not null;
create index on messages (created_at);

alter table api_tokens add column expiry_notified boolean not null default false;

-- The latest operation of a user on a container: a requested stop triggers no alert.
create index on events (target_id, id)
  where type in ('container.started', 'container.restarted', 'container.stopped', 'container.killed');

-- Consecutive rejected messages: one may be the message's fault, many are the channel's.
alter table notifications add column refusals integer not null default 0;

-- Mails to people outside the workspace. The count is that of counted_at and decreases with every minute.
create table outside_letters (
  workspace_id text primary key references workspaces on delete cascade,
  counted_at timestamptz not null default now(),
  letters double precision not null
);

create index on incidents (workspace_id, deployment_id) where deployment_id is not null;
