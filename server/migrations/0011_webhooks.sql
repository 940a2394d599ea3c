-- Events that concern the whole installation, such as those of API keys, belong to no merchant account.
alter table events alter column merchant_account_id drop not null;
-- Grows from each event of a resource to the next one of that resource, so that a receiver can put them in order.
alter table events add column sequence bigint generated always as identity;
drop index events_by_account;
create index events_by_account on events (merchant_account_id, created_at desc, id desc);
create index events_by_name on events (merchant_account_id, name, created_at desc, id desc);
create index events_by_target on events (target_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index events_by_age on events (created_at desc, id desc) where created_at > '-infinity';

create table webhook_subscriptions (
  id uuid primary key,
  -- Null: told of the events of all accounts, and of those of the installation.
  merchant_account_id text references merchant_accounts,
  active boolean not null,
  url text not null check (length(url) between 1 and 2048),
  -- How to authenticate at the URL, without its secrets.
  authentication jsonb check (jsonb_typeof(authentication) = 'object'),
  -- By name, the places in the vault: secret, former_secret, password, client_secret.
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
  -- Until when the former secret signs as well.
  former_secret_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  check (deleted_at is not null or secrets ? 'secret'),
  check ((former_secret_until is not null) = (secrets ? 'former_secret'))
);
create index webhook_subscriptions_by_age on webhook_subscriptions (created_at desc, id desc) where deleted_at is null;

-- An event on its way to a subscription, written with the event. It has the event's id. References would make every
-- payment lock the same few subscriptions, and subscriptions are never removed, so there are none.
create table webhook_deliveries (
  subscription_id uuid not null,
  id uuid not null,
  event_name text not null,
  status text not null check (status in ('waiting', 'delivered', 'parked')),
  -- When it is due; while an attempt is made, when that attempt is given up as lost.
  next_attempt_at timestamptz(3),
  -- Attempts begun. The number fences: what an attempt found out counts only while no later one was begun.
  attempts integer not null default 0,
  -- Failures since the schedule began, which begins anew with a replay.
  failures integer not null default 0,
  response_status_code integer,
  outcome text,
  parked_because text check (parked_because in ('schedule_ended', 'subscription_inactive', 'subscription_deleted')),
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (subscription_id, id),
  check ((status = 'waiting') = (next_attempt_at is not null)),
  check ((status = 'delivered') = (delivered_at is not null)),
  check ((status = 'parked') = (parked_because is not null))
);
create index webhook_deliveries_waiting on webhook_deliveries (subscription_id, next_attempt_at) where status = 'waiting';
create index webhook_deliveries_parked on webhook_deliveries (subscription_id, id) where status = 'parked';

-- What became of each attempt, with the beginning of the answer.
create table webhook_attempts (
  subscription_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  outcome text not null,
  response_status_code integer,
  response_body text,
  duration_ms integer not null,
  created_at timestamptz(3) not null,
  primary key (subscription_id, delivery_id, number),
  foreign key (subscription_id, delivery_id) references webhook_deliveries (subscription_id, id) on delete cascade
);
