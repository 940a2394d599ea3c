-- What a merchant wants to see again and again, as a file.
create table reports (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  name text not null check (length(name) between 1 and 100),
  description text check (length(description) between 1 and 1000),
  creator_id uuid,
  creator_display_name text,
  creator_type text check (creator_type in ('user', 'private_key')),
  schedule text not null check (schedule in ('once', 'daily', 'weekly', 'monthly')),
  schedule_enabled boolean not null,
  schedule_timezone text not null,
  model text not null
    check (model in ('transactions', 'transaction_retries', 'detailed_settlement', 'accounts_receivables', 'ai_insights')),
  params jsonb not null,
  -- When the report runs next, if its schedule is enabled.
  next_execution_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint once_has_no_schedule check (schedule <> 'once' or (not schedule_enabled and next_execution_at is null)),
  constraint others_have_one check (schedule = 'once' or next_execution_at is not null)
);
create index reports_by_account on reports (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index reports_by_age on reports (created_at desc, id desc) where created_at > '-infinity';
-- For the job.
create index reports_due on reports (next_execution_at, id) where schedule_enabled;
-- An account has only so many of them.
create index reports_scheduled on reports (merchant_account_id) where schedule_enabled;

-- One file of a report.
create table report_executions (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  report_id uuid not null references reports,
  status text not null check (status in ('pending', 'dispatched', 'processing', 'succeeded', 'failed')),
  reference_timestamp timestamptz(3) not null,
  reference_timezone text not null,
  -- The dates that placeholders stand for in this execution, by the name of their filter.
  ranges jsonb not null,
  -- When a worker is to take it, by the service's clock. Null once it has ended.
  due_at timestamptz(3),
  -- The worker that took it last has the highest fence, and alone may end it. Its lease is in real time.
  fence integer not null default 0 check (fence >= 0),
  leased_until timestamptz(3),
  tries integer not null default 0 check (tries >= 0),
  failure_reason text,
  -- Where the file is: the name of the storage, and its key there. Null before it is written, and after it is removed.
  stored_in text,
  file_key text,
  file_size bigint check (file_size >= 0),
  file_sha256 text,
  row_count bigint check (row_count >= 0),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint report_executions_due check ((due_at is null) = (status in ('succeeded', 'failed'))),
  constraint report_executions_ended check ((ended_at is not null) = (status in ('succeeded', 'failed'))),
  constraint report_executions_reason check ((failure_reason is not null) or status <> 'failed'),
  constraint report_executions_file check (
    (status = 'succeeded') = (file_size is not null and file_sha256 is not null and row_count is not null)
    and (file_key is null or status = 'succeeded')
    and (file_key is null) = (stored_in is null))
);
-- A report has one file for each time at which it runs, however many processes notice that time.
create unique index report_executions_once on report_executions (report_id, reference_timestamp);
create index report_executions_by_report on report_executions (report_id, created_at desc, id desc);
create index report_executions_by_account on report_executions (merchant_account_id, created_at desc, id desc);
create index report_executions_by_age on report_executions (created_at desc, id desc) where created_at > '-infinity';
-- For the jobs.
create index report_executions_due on report_executions (due_at, id) where due_at is not null;
-- Accounts take turns: the queue of each, and when its last file was written.
create index report_executions_queues on report_executions (merchant_account_id, due_at, id) where due_at is not null;
create index report_executions_ended on report_executions (merchant_account_id, ended_at desc) where ended_at is not null;
create index report_executions_with_file on report_executions (stored_in, ended_at, id) where file_key is not null;
