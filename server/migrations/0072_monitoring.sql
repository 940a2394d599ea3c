-- What a merchant watches: a rate over the last minutes, and from where on it is an alert.
create table monitoring_metrics (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  display_name text not null check (length(display_name) between 1 and 200),
  model text not null check (model in ('auth_rate')),
  -- Over which time, as the caller wrote it.
  datetime_range text not null check (datetime_range ~ '^P[0-9YMWDTHS]{2,80}/(now|hour_start|hour_end)$'),
  -- Which payments. Null: all of them. An entry that is null stands for payments without a value.
  methods text[] check (cardinality(methods) between 1 and 200),
  bins text[] check (cardinality(bins) between 1 and 200),
  schemes text[] check (cardinality(schemes) between 1 and 200),
  payment_service_ids uuid[] check (cardinality(payment_service_ids) between 1 and 200),
  -- A rate above or below is an alert. Both null: no rate is.
  alert_gt double precision check (alert_gt between 0 and 1),
  alert_lt double precision check (alert_lt between 0 and 1),
  alerting_policy_updated_at timestamptz(3),
  -- How many alerts in a row open an incident, and how many healthy samples close it. Null: there are no incidents.
  create_after_n smallint check (create_after_n between 1 and 10),
  close_after_n smallint check (close_after_n between 1 and 10),
  incident_policy_updated_at timestamptz(3),
  -- A hash of period, filters and thresholds: an account watches the same thing once.
  identity text not null check (identity ~ '^[0-9a-f]{64}$'),
  creator_id uuid not null,
  creator_name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The samples of the same kind in a row, up to the last one that was healthy or an alert.
  run_healthy boolean,
  run_length integer not null check (run_length >= 0),
  -- When the next sample is due.
  due_at timestamptz(3) not null,
  -- A process takes it until then, in real time, and no other one does. Null: none has.
  leased_until timestamptz(3),
  check (alert_lt <= alert_gt),
  check ((create_after_n is null) = (close_after_n is null)),
  check ((run_healthy is null) = (run_length = 0))
);
create unique index monitoring_metrics_watch_once on monitoring_metrics (merchant_account_id, identity);
create index monitoring_metrics_by_account on monitoring_metrics (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index monitoring_metrics_by_age on monitoring_metrics (created_at desc, id desc) where created_at > '-infinity';
create index monitoring_metrics_due on monitoring_metrics (due_at);

-- One row for each metric and minute. Written once, never changed, removed after 30 days.
create table monitoring_samples (
  metric_id uuid not null references monitoring_metrics on delete cascade,
  minute timestamptz(0) not null check (extract(epoch from minute)::bigint % 60 = 0),
  authorized integer not null check (authorized >= 0),
  decided integer not null,
  -- Null: nothing was decided, or no policy says what is healthy.
  healthy boolean,
  -- Taken while an incident was open, or opened one.
  incident_related boolean not null,
  primary key (metric_id, minute),
  check (authorized <= decided),
  check (decided > 0 or healthy is null)
);
create index monitoring_samples_by_age on monitoring_samples (minute);

create table monitoring_incidents (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- Null once the metric is deleted.
  metric_id uuid references monitoring_metrics on delete set null,
  -- The metric as it was when the incident was opened.
  display_name text not null,
  spec jsonb not null,
  alerting_policy jsonb not null,
  incident_policy jsonb not null,
  notes text check (length(notes) between 1 and 1000),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  closed_at timestamptz(3) check (closed_at >= created_at),
  -- Only samples close an incident, so that of a deleted metric is closed before.
  check (metric_id is not null or closed_at is not null)
);
create unique index monitoring_incidents_one_open on monitoring_incidents (metric_id) where closed_at is null;
create index monitoring_incidents_by_metric on monitoring_incidents (metric_id, created_at desc, id desc);
create index monitoring_incidents_by_account on monitoring_incidents (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index monitoring_incidents_by_age on monitoring_incidents (created_at desc, id desc) where created_at > '-infinity';
