-- Where we are with the report files of a payment service: when to look for new ones, and who looks now.
create table payment_service_report_feeds (
  payment_service_id uuid primary key references payment_services,
  merchant_account_id text not null,
  -- When to list the files again, by the clock of the service.
  due_at timestamptz(3) not null,
  -- Until when no other process looks, by the time of the database.
  leased_until timestamptz(3) not null default '-infinity',
  -- When the newest file that we know was published.
  listed_until timestamptz(3),
  -- When the provider was last asked with success.
  listed_at timestamptz(3),
  failures integer not null default 0 check (failures >= 0),
  -- Why the last look failed. Null once one succeeds.
  problem text,
  check ((failures = 0) = (problem is null))
);
create index payment_service_report_feeds_due on payment_service_report_feeds (due_at);

-- What a provider reports about a period. A report has several files if the provider corrects the first.
create table payment_service_reports (
  id uuid primary key,
  merchant_account_id text not null,
  payment_service_id uuid not null references payment_services,
  -- The provider's own id of the report. Null for what it tells by notifications.
  external_identifier text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index payment_service_reports_once on payment_service_reports
  (payment_service_id, coalesce(external_identifier, ''));
create index payment_service_reports_by_account on payment_service_reports (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry its condition, which is always true; see buyers_by_age.
create index payment_service_reports_by_age on payment_service_reports (created_at desc, id desc)
  where created_at > '-infinity';

-- The bytes of a file, once. Their hash is the identity: the same bytes under another name are the same file.
create table payment_service_report_files (
  id uuid primary key,
  merchant_account_id text not null,
  payment_service_id uuid not null references payment_services,
  report_id uuid not null references payment_service_reports,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null check (size >= 0),
  -- applying: `lines_done` says how far. refused: none of its lines is applied.
  status text not null check (status in ('applying', 'applied', 'refused')),
  -- Why the file is refused.
  problem text,
  -- The day that the file is about, and the currency of its sums. Null if its header cannot be read.
  report_date date,
  currency text check (currency ~ '^[A-Z]{3}$'),
  line_count integer not null check (line_count >= 0),
  -- The sums of the lines. The file is refused if its trailer says otherwise.
  gross_amount bigint not null,
  fee_amount bigint not null,
  lines_done integer not null default 0 check (lines_done between 0 and line_count),
  -- Lines that no payment fits, and lines to look at although one does.
  unmatched_count integer not null default 0 check (unmatched_count >= 0),
  flagged_count integer not null default 0 check (flagged_count >= 0),
  published_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  unique (payment_service_id, sha256),
  check ((status = 'refused') = (problem is not null)),
  check (status <> 'refused' or lines_done = 0),
  check (status <> 'applied' or lines_done = line_count),
  check ((status = 'applying') = (finished_at is null))
) with (fillfactor = 80);
create index payment_service_report_files_by_report on payment_service_report_files (report_id, created_at, id);

-- Each name under which a provider offers a file. A file that could not be read, or is refused, is tried again when due.
create table payment_service_report_offers (
  payment_service_id uuid not null references payment_services,
  -- The provider's own id of the file.
  external_identifier text not null,
  name text not null,
  published_at timestamptz(3) not null,
  file_id uuid references payment_service_report_files,
  checks integer not null default 0 check (checks >= 0),
  due_at timestamptz(3),
  primary key (payment_service_id, external_identifier),
  check (file_id is not null or due_at is not null)
);
create index payment_service_report_offers_due on payment_service_report_offers (payment_service_id, due_at)
  where due_at is not null;
create index payment_service_report_offers_by_file on payment_service_report_offers (file_id) where file_id is not null;

-- The lines of all files. A line that fits a payment is the payment's settlement, refund settlement, chargeback or reversal,
-- as the API shows it. A chargeback may also come by a notification: then it has no file yet.
create table payment_service_report_lines (
  merchant_account_id text not null,
  id uuid not null,
  payment_service_id uuid not null,
  report_id uuid not null references payment_service_reports,
  file_id uuid references payment_service_report_files,
  line_number integer check (line_number > 0),
  kind text not null check (kind in ('settlement', 'refund_settlement', 'chargeback', 'chargeback_reversal')),
  -- The provider's own id of the movement. The same movement in another file, or in a notification, has the same one.
  external_identifier text,
  -- What the line is about: the provider's id of a capture or refund, and ours.
  provider_reference text not null,
  own_reference text,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Above zero: for the merchant. Below zero: taken from the merchant.
  amount bigint not null,
  original_amount bigint,
  original_currency text check (original_currency ~ '^[A-Z]{3}$'),
  exchange_rate double precision check (exchange_rate > 0),
  commission bigint not null,
  interchange bigint,
  markup bigint,
  scheme_fee bigint,
  -- Why the buyer's bank took the money back, in the provider's words.
  reason_code text,
  reason_description text,
  posted_at timestamptz(3) not null,
  ingested_at timestamptz(3) not null,

  -- From here on: what changes.
  transaction_id uuid,
  refund_id uuid,
  -- Why no payment fits. Null if one does.
  unmatched_because text check (unmatched_because in (
    'unknown_reference', 'not_decided', 'not_succeeded', 'other_currency', 'duplicate')),
  -- What an operator should look at, although a payment fits.
  flag text check (flag in ('below_expected', 'above_expected')),
  checks integer not null default 0 check (checks >= 0),
  -- When to look for a payment again.
  due_at timestamptz(3),
  updated_at timestamptz(3) not null,

  primary key (merchant_account_id, id),
  unique (file_id, line_number),
  foreign key (merchant_account_id, transaction_id) references transactions (merchant_account_id, id),
  foreign key (merchant_account_id, refund_id) references refunds (merchant_account_id, id),
  check ((transaction_id is null) = (unmatched_because is not null)),
  check ((refund_id is not null) = (transaction_id is not null and kind = 'refund_settlement')),
  check (due_at is null or transaction_id is null),
  check (flag is null or transaction_id is not null),
  check ((file_id is null) = (line_number is null)),
  check ((original_amount is null) = (original_currency is null))
) with (fillfactor = 90);
-- One record for each movement, however often the provider tells of it.
create unique index payment_service_report_lines_once on payment_service_report_lines
  (payment_service_id, kind, external_identifier)
  where external_identifier is not null and unmatched_because is distinct from 'duplicate';
create index payment_service_report_lines_by_transaction on payment_service_report_lines
  (merchant_account_id, transaction_id, kind) where transaction_id is not null;
create index payment_service_report_lines_by_report on payment_service_report_lines (report_id, id);
create index payment_service_report_lines_unmatched on payment_service_report_lines (report_id, id)
  where unmatched_because is not null;
create index payment_service_report_lines_flagged on payment_service_report_lines (report_id, id) where flag is not null;
create index payment_service_report_lines_due on payment_service_report_lines (due_at) where due_at is not null;

-- Roles that read payments read what providers report about them, and so do those that run the installation.
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{payment-service-reports.read}'::text[]) as permission
  )
  where slug in ('processing', 'reporting', 'system-manager') and not 'payment-service-reports.read' = any (permissions);
