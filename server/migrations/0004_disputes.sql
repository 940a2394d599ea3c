-- What providers tell of a dispute, from a bank's first question to the decision. The money that it moves is in
-- payment_service_report_lines. The row is written when a provider tells a step, and read as a whole.
create table disputes (
  merchant_account_id text not null, id uuid not null, payment_service_id uuid not null, transaction_id uuid not null,
  -- The provider's id of the dispute. Null until it has told one: a file may tell of the movement alone.
  external_identifier text,
  -- The provider's ids of what moved, and those that we gave to movements without one.
  movements text[] not null default '{}',
  -- All that was told, as the API shows it, in the order of its arrival.
  steps jsonb not null check (jsonb_typeof(steps) = 'array' and jsonb_array_length(steps) between 1 and 100),
  -- From here on: what follows from the steps.
  stage text not null check (stage in
    ('inquiry', 'early_fraud_warning', 'notification', 'chargeback', 'second_chargeback', 'arbitration', 'won', 'lost', 'expired')),
  amount bigint check (amount >= 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  reason_code text, reason_description text,
  -- Until when the provider takes an answer at this stage, if it says so.
  respond_by timestamptz(3),
  opened_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  primary key (merchant_account_id, id),
  unique (merchant_account_id, payment_service_id, external_identifier),
  foreign key (merchant_account_id, transaction_id) references transactions (merchant_account_id, id),
  check ((amount is null) = (currency is null)),
  check (respond_by is null or stage not in ('won', 'lost', 'expired'))
);
create index disputes_by_transaction on disputes (merchant_account_id, transaction_id);
-- The list, newest first, of all and of one stage.
create index disputes_by_age on disputes (merchant_account_id, id desc);
create index disputes_by_stage on disputes (merchant_account_id, stage, id desc);
-- What can be answered before money moves. Chargebacks have an index of their own.
create index disputes_to_answer on disputes (merchant_account_id, respond_by)
  where stage in ('inquiry', 'notification', 'arbitration') and respond_by is not null;
