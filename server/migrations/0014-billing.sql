-- A person has one trial, which begins with their first workspace: all others of theirs end theirs at the same time.
alter table users add column trial_ends_at timestamptz;
update users set trial_ends_at =
  (select min(w.trial_ends_at) from workspaces w join members m on m.workspace_id = w.id
    where m.user_id = users.id and m.role = 'owner');

-- What a workspace pays for at Stripe, as it was when Stripe was last asked. Stripe is the truth.
create table subscriptions (
  workspace_id text primary key references workspaces on delete cascade,
  -- Made before anything is asked of them there, so that whatever comes of that can be found.
  customer_id text not null unique,
  subscription_id text unique,
  -- Of the configuration; null where the price is none of those.
  plan_id text,
  -- Since when that plan's limits count: what was recorded before is kept as long as it was promised.
  plan_since timestamptz,
  stripe_status text,
  -- In the smallest unit, of which some currencies have many.
  amount bigint,
  currency text,
  interval text check (interval in ('day', 'week', 'month', 'year')),
  interval_count integer,
  period_ends_at timestamptz,
  trial_ends_at timestamptz,
  cancel_at timestamptz,
  past_due_since timestamptz,
  -- Where what is owed can be paid, and how much that is.
  pay_url text,
  owed_amount bigint,
  -- A change that waits until its payment is confirmed: to which plan, where that is done, and until when.
  held_plan_id text,
  held_url text,
  held_until timestamptz,
  -- The checkout session that was opened last. The time is null once a subscription is live and no session is open.
  checkout_id text,
  checkout_until timestamptz,
  -- When Stripe was last asked.
  seen_at timestamptz,
  created_at timestamptz not null default now()
);

-- What Stripe has told already; it tells more than once.
create table stripe_events (
  id text primary key,
  received_at timestamptz not null default now()
);
create index on stripe_events (received_at);

-- What people were told of a workspace's plan, so that they are told once.
create table billing_notices (
  workspace_id text not null references workspaces on delete cascade,
  kind text not null,
  about text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, kind, about)
);

-- Customers that no workspace has any more, as it was deleted or has another one by now: what they pay for ends, also what is
-- paid on a page that was still open.
create table departed_customers (
  customer_id text primary key,
  left_at timestamptz not null default now(),
  -- When Stripe was last asked and they paid for nothing any more.
  ended_at timestamptz
);
