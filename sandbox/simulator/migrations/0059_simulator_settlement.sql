-- The processor settles: a batch for each merchant, currency and day, which becomes a file.

-- How far a merchant's books are closed.
create table simulator.closings (
  merchant_id text primary key,
  closed_until timestamptz(3) not null,
  -- The closing under way. It puts the entries into their batches page by page, so that it can be continued.
  closing timestamptz(3)
);

create table simulator.batches (
  id uuid primary key,
  merchant_id text not null,
  -- What buyers paid in.
  currency text not null,
  day date not null,
  -- What the merchant gets. The factor turns minor units of the one currency into those of the other.
  settlement_currency text not null,
  exchange_rate numeric,
  exchange_factor numeric,
  -- The mistake in the file that the merchant asked for.
  fault text,
  closed_at timestamptz(3),
  -- Null while the file is withheld.
  published_at timestamptz(3),
  check ((exchange_rate is null) = (currency = settlement_currency)),
  check ((exchange_rate is null) = (exchange_factor is null)),
  check (published_at is null or closed_at is not null),
  unique (merchant_id, currency, day)
);
create index batches_by_publication on simulator.batches (merchant_id, published_at);

-- What becomes known later: a buyer disputes a payment, or a capture or a refund fails after its approval. Such an entry
-- may be written ahead of its time: `ended_at` is when it takes effect.
alter table simulator.entries
  drop constraint entries_operation_check,
  add constraint entries_operation_check check (operation in (
    'authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout', 'tokenize', 'forgetToken',
    'chargeback', 'chargebackReversal', 'lateFailure')) not valid,
  -- The capture or refund that is disputed, or failed. Of a reversal: the chargeback.
  add column subject_reference uuid,
  -- Wallets are another business of the processor, with other files.
  add column product text not null default 'card',
  add column batch_id uuid,
  add constraint entries_subject_check
    check ((operation in ('chargeback', 'chargebackReversal', 'lateFailure')) = (subject_reference is not null)) not valid,
  add constraint entries_subject_fkey
    foreign key (subject_reference) references simulator.entries (reference) not valid,
  add constraint entries_batch_fkey foreign key (batch_id) references simulator.batches (id) not valid;

-- What the processor has to tell by a notification, until the merchant's system has taken it.
create table simulator.notices (
  reference uuid primary key references simulator.entries (reference),
  merchant_id text not null,
  due_at timestamptz(3) not null,
  next_at timestamptz(3) not null,
  tries integer not null default 0,
  done_at timestamptz(3)
);
create index notices_to_send on simulator.notices (merchant_id, next_at) where done_at is null;
