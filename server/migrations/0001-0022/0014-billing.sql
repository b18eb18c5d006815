-- A user has one trial, which starts with their first workspace and ends for all of theirs at the same time.
alter table users add column trial_ends_at timestamptz;
update users set trial_ends_at =
  (select min(w.trial_ends_at) from workspaces w join members m on m.workspace_id = w.id
    where m.user_id = users.id and m.role = 'owner');

-- The subscription of a workspace as last read from Stripe, which is the source of truth.
create table subscriptions (
  workspace_id text primary key references workspaces on delete cascade,
  -- Created before the first request to Stripe, so that its result can be found.
  customer_id text not null unique,
  subscription_id text unique,
  -- A configured plan; null if the price belongs to none.
  plan_id text,
  -- Since when the limits of the plan apply: earlier data is kept as long as its plan promised.
  plan_since timestamptz,
  stripe_status text,
  -- In the smallest unit of the currency.
  amount bigint,
  currency text,
  interval text check (interval in ('day', 'week', 'month', 'year')),
  interval_count integer,
  period_ends_at timestamptz,
  trial_ends_at timestamptz,
  cancel_at timestamptz,
  past_due_since timestamptz,
  -- The payment page and the amount due.
  pay_url text,
  owed_amount bigint,
  -- A plan change that waits for its payment: the plan, the payment page and the expiry.
  held_plan_id text,
  held_url text,
  held_until timestamptz,
  -- The latest checkout session. The time is null once a subscription is live and no session is open.
  checkout_id text,
  checkout_until timestamptz,
  -- When the subscription was last read from Stripe.
  seen_at timestamptz,
  created_at timestamptz not null default now()
);

-- Handled Stripe events; Stripe delivers them more than once.
create table stripe_events (
  id text primary key,
  received_at timestamptz not null default now()
);
create index on stripe_events (received_at);

-- Sent notices about the plan of a workspace; each is sent once.
create table billing_notices (
  workspace_id text not null references workspaces on delete cascade,
  kind text not null,
  about text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, kind, about)
);

-- Customers without a workspace, because it was deleted or has another one. Their subscriptions are canceled, also those from a
-- checkout page that was still open.
create table departed_customers (
  customer_id text primary key,
  left_at timestamptz not null default now(),
  -- When Stripe last confirmed that nothing is paid for.
  ended_at timestamptz
);
