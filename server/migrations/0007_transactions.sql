-- What a request had committed when its process died. Whoever takes the key over goes on from there.
alter table idempotency_keys add column begun text;

-- One row for each payment. It is narrow, and no index on it mentions a column that changes with the payment's
-- progress, so that such a change touches the row and nothing else (docs/decisions/0017-transaction-list.md).
-- The id is a UUIDv7: it holds the time of creation and gives the order of every list.
-- No reference to merchant_accounts: checking it would lock one row for all payments of an account, and accounts are
-- never deleted.
create table transactions (
  merchant_account_id text not null,
  id uuid not null,
  intent text not null check (intent in ('authorize', 'capture')),
  amount integer not null check (amount between 0 and 99999999),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  country text,
  method text,
  payment_source text not null
    check (payment_source in ('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file')),
  merchant_initiated boolean not null,
  is_subsequent_payment boolean not null,
  has_gift_card_redemptions boolean not null default false,
  external_identifier text,
  buyer_id uuid,
  buyer_external_identifier text,
  buyer_email_address text,
  ip_address inet,
  checkout_session_id uuid,
  payment_link_id uuid,
  payment_method_id uuid,
  payment_method_label text,
  payment_method_scheme text,
  payment_method_country text,
  payment_method_fingerprint text,
  payment_method_bin text,
  reauthorized_from_transaction_id uuid,
  -- The service that was asked last. It changes only when a payment goes on to another one.
  payment_service_id uuid,

  -- From here on: what changes. Not in any index.
  status text not null check (status in (
    'processing', 'buyer_approval_pending', 'authorization_succeeded', 'authorization_declined',
    'authorization_failed', 'authorization_voided', 'authorization_void_pending', 'capture_pending',
    'capture_succeeded')),
  authorized_amount integer not null default 0 check (authorized_amount >= 0),
  -- What captures may reach: what was authorized, and what over-capture adds to it.
  capture_limit integer not null default 0 check (capture_limit >= 0),
  captured_amount integer not null default 0 check (captured_amount >= 0),
  -- Captures and refunds on their way. They count against the limits from the moment they are sent.
  capturing_amount integer not null default 0 check (capturing_amount >= 0),
  refunded_amount integer not null default 0 check (refunded_amount >= 0),
  refunding_amount integer not null default 0 check (refunding_amount >= 0),
  -- A final capture was made or is on its way: none may follow.
  is_capture_final boolean not null default false,
  pending_review boolean not null default false,
  disputed boolean not null default false,
  error_code text,
  payment_service_transaction_id text,
  -- What the provider and the 3-D Secure server said, and when things happened.
  outcome jsonb not null default '{}',
  updated_at timestamptz(3) not null,

  primary key (merchant_account_id, id),
  constraint captured_within_limit check (captured_amount + capturing_amount <= capture_limit),
  constraint refunded_within_captured check (refunded_amount + refunding_amount <= captured_amount),
  constraint voided_or_captured check (
    status not in ('authorization_voided', 'authorization_void_pending') or captured_amount + capturing_amount = 0)
) with (fillfactor = 90);

-- What was asked for, and whom it concerns: wide, written once, read with the row.
create table transaction_documents (
  merchant_account_id text not null,
  id uuid not null,
  document jsonb not null,
  primary key (merchant_account_id, id)
);

-- Facts that change, or of which a payment has several: its status, its error, its metadata. One row for each.
create table transaction_marks (
  merchant_account_id text not null,
  mark text not null,
  id uuid not null,
  primary key (merchant_account_id, mark, id)
) with (fillfactor = 90);

create table transaction_updates (
  merchant_account_id text not null,
  id uuid not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_account_id, id)
) with (fillfactor = 90);
create index transaction_updates_by_time on transaction_updates (merchant_account_id, updated_at, id);

-- Everything that is asked of a provider, recorded before it is asked. Its id is the provider's idempotency key.
create table transaction_attempts (
  id uuid primary key,
  merchant_account_id text not null,
  transaction_id uuid not null,
  operation text not null check (operation in ('authorize', 'capture', 'void', 'cancel', 'refund', 'increment')),
  -- The capture or refund it is for.
  subject_id uuid,
  payment_service_id uuid not null,
  -- An authorization that takes the money at once.
  is_direct_capture boolean not null default false,
  amount integer not null check (amount >= 0),
  -- queued: to be sent by a job. sent: an answer is awaited. unknown: there was none that could be read.
  -- pending: the provider works on it. The others are final.
  state text not null
    check (state in ('queued', 'sent', 'unknown', 'pending', 'approved', 'declined', 'failed')),
  reference text,
  -- Why it was refused, in our words and in the provider's.
  error_code text,
  raw_response_code text,
  raw_response_description text,
  checks integer not null default 0,
  -- When to ask the provider what became of it. Null once it is known.
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((state in ('approved', 'declined', 'failed')) = (due_at is null))
) with (fillfactor = 90);
create index transaction_attempts_by_transaction on transaction_attempts (merchant_account_id, transaction_id);
create index transaction_attempts_due on transaction_attempts (payment_service_id, due_at) where due_at is not null;
-- Notifications name an operation by the provider's id. They come until they are acknowledged, also after its end.
create index transaction_attempts_by_reference on transaction_attempts (payment_service_id, reference)
  where reference is not null;

-- A deleted service keeps its secrets while something is open there: how that ends is still to be asked for.
alter table payment_services
  drop constraint payment_services_check,
  add check (deleted_at is null or reporting_secrets = '{}');

-- A card that is needed again before the payment is decided: to be stored once it is approved, or until the buyer has
-- approved. Number and code are in the vault; the row goes, and they with it, when the payment is decided. Of a card that
-- is stored already, only the code is kept.
create table transaction_cards (
  merchant_account_id text not null,
  transaction_id uuid not null,
  number_token uuid,
  security_code_token uuid,
  card jsonb,
  -- Null: it is not to be stored.
  store jsonb,
  primary key (merchant_account_id, transaction_id),
  check ((number_token is null) = (card is null)),
  check (number_token is not null or security_code_token is not null)
);

create table transaction_captures (
  merchant_account_id text not null,
  transaction_id uuid not null,
  id uuid not null,
  amount integer not null check (amount between 0 and 99999999),
  is_final boolean not null,
  status text not null check (status in ('pending', 'succeeded', 'declined', 'failed')),
  external_identifier text,
  payment_service_capture_id text,
  error_code text,
  outcome jsonb not null default '{}',
  details jsonb not null default '{}',
  captured_at timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (merchant_account_id, transaction_id, id),
  foreign key (merchant_account_id, transaction_id) references transactions (merchant_account_id, id)
);
create unique index transaction_captures_one_final on transaction_captures (merchant_account_id, transaction_id)
  where is_final and status in ('pending', 'succeeded');

create table refunds (
  merchant_account_id text not null,
  id uuid not null,
  transaction_id uuid not null,
  payment_service_id uuid,
  status text not null check (status in ('processing', 'succeeded', 'declined', 'failed', 'voided')),
  amount integer not null check (amount between 1 and 99999999),
  currency text not null,
  target_type text not null check (target_type in ('payment-method', 'gift-card-redemption')),
  target_id uuid,
  reason text,
  external_identifier text,
  payment_service_refund_id text,
  error_code text,
  outcome jsonb not null default '{}',
  creator_id uuid,
  creator_name text not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_account_id, id),
  foreign key (merchant_account_id, transaction_id) references transactions (merchant_account_id, id)
);
create index refunds_by_transaction on refunds (merchant_account_id, transaction_id, id);

-- What happened to a payment, for whoever looks into it.
create table transaction_events (
  merchant_account_id text not null,
  transaction_id uuid not null,
  id uuid not null,
  name text not null,
  context jsonb not null,
  created_at timestamptz(3) not null,
  primary key (merchant_account_id, transaction_id, id)
);

-- What subscribers are told: written with the change it tells of.
create table events (
  id uuid primary key,
  merchant_account_id text not null,
  name text not null,
  target_type text not null,
  target_id uuid not null,
  target jsonb not null,
  created_at timestamptz(3) not null
);
create index events_by_account on events (merchant_account_id, id);
