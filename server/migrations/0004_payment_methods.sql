create table payment_methods (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  method text not null,
  mode text not null,
  status text not null check (status in ('processing', 'buyer_approval_required', 'succeeded', 'failed')),
  buyer_id uuid references buyers on delete set null,
  external_identifier text check (length(external_identifier) between 1 and 200),
  label text,
  country text,
  currency text,
  approval_url text,
  approval_target text check (approval_target in ('any', 'new_window')),
  scheme text,
  additional_schemes text[],
  expiration_date text check (expiration_date ~ '^(0[1-9]|1[0-2])/[0-9]{2}$'),
  -- The first day on which the card is no longer valid, so that a job finds the cards that have expired.
  expires_on date,
  fingerprint text,
  bin text,
  card_type text check (card_type in ('credit', 'debit', 'prepaid')),
  card_issuer_name text,
  card_country text,
  -- Where the vault keeps the number. Null once the method is deleted: the number is gone, the row stays for the books.
  vault_token uuid,
  -- What the account updater found and has not been applied yet: a new date, and what is known of a new number. The
  -- number itself is in the vault.
  replacement jsonb,
  last_replaced_at timestamptz(3),
  scheme_transaction_id text,
  scheme_transaction_id_scheme text,
  transaction_link_id text,
  usage_count integer not null default 0,
  last_used_at timestamptz(3),
  cit_usage_count integer not null default 0,
  cit_last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  check (deleted_at is null or (vault_token is null and replacement is null))
);
create unique index payment_methods_external_identifier
  on payment_methods (merchant_account_id, external_identifier) where deleted_at is null;
create index payment_methods_by_account
  on payment_methods (merchant_account_id, created_at desc, id desc) where deleted_at is null;
create index payment_methods_by_status
  on payment_methods (status, merchant_account_id, created_at desc, id desc) where deleted_at is null;
-- For lists over all accounts. Every row meets the second condition; who does not ask for it cannot use these, as the
-- list of one account must not: to find its few rows among everybody's would take as long as there are rows.
create index payment_methods_by_age on payment_methods (created_at desc, id desc)
  where deleted_at is null and created_at > '-infinity';
create index payment_methods_by_status_and_age on payment_methods (status, created_at desc, id desc)
  where deleted_at is null and created_at < 'infinity';
create index payment_methods_by_buyer on payment_methods (buyer_id, created_at desc, id desc) where buyer_id is not null;
create index payment_methods_with_replacement
  on payment_methods (expires_on) where replacement is not null;

-- Each use is a row of its own, so that a method used many times at once is not a row that everybody waits for. A job
-- adds them up. No reference to the method: checking it would lock that very row.
create table payment_method_uses (
  id uuid primary key,
  payment_method_id uuid not null,
  used_at timestamptz(3) not null,
  is_client_initiated boolean not null
);
create index payment_method_uses_by_method on payment_method_uses (payment_method_id);

create table account_updater_jobs (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table account_updater_inquiries (
  id uuid primary key,
  job_id uuid not null references account_updater_jobs,
  merchant_account_id text not null,
  payment_method_id uuid not null references payment_methods,
  status text not null check (status in ('pending', 'updated', 'unchanged', 'closed', 'failed')),
  tries integer not null default 0,
  -- Work that a process leaves behind is taken over when this has passed.
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index account_updater_inquiries_one_open
  on account_updater_inquiries (payment_method_id) where status = 'pending';
create index account_updater_inquiries_due on account_updater_inquiries (due_at) where status = 'pending';
create index account_updater_inquiries_by_job on account_updater_inquiries (job_id);

-- Card numbers that left the vault are audited in the same chain as changes. They are many and are not listed with them.
alter table audit_logs drop constraint audit_logs_action_check;
alter table audit_logs add constraint audit_logs_action_check
  check (action in ('created', 'updated', 'deleted', 'voided', 'canceled', 'captured', 'revealed'));
drop index audit_logs_by_age;
drop index audit_logs_by_account;
create index audit_logs_by_age on audit_logs (created_at desc, id desc) where action <> 'revealed';
create index audit_logs_by_account
  on audit_logs (merchant_account_id, created_at desc, id desc) where action <> 'revealed';
