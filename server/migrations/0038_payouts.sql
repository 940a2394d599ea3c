-- Money that merchants send to cards. The id of a payout is also that of its attempt. It is a UUIDv7: it holds the time of
-- creation and gives the order of the list. As for payments, no index mentions a column that changes, and nothing refers
-- to merchant accounts or services, which are never deleted.
create table payouts (
  merchant_account_id text not null,
  id uuid not null,
  amount integer not null check (amount between 1 and 99999999),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  category text check (category in ('online_gambling')),
  external_identifier text check (length(external_identifier) between 1 and 200),
  payment_service_id uuid not null,
  -- The buyer, the card and the merchant as they were then. No card number.
  document jsonb not null,

  -- From here on: what changes. Not in any index.
  status text not null check (status in ('pending', 'succeeded', 'declined', 'failed')),
  -- The payment service's own id of the payout.
  payment_service_payout_id text check (payment_service_payout_id <> ''),
  updated_at timestamptz(3) not null,

  primary key (merchant_account_id, id),
  constraint succeeded_with_reference check (status <> 'succeeded' or payment_service_payout_id is not null)
) with (fillfactor = 80);
create index payouts_by_external_identifier on payouts (merchant_account_id, external_identifier, id)
  where external_identifier is not null;

-- Facts that change: the status, and the id at the payment service.
create table payout_marks (
  merchant_account_id text not null,
  mark text not null,
  id uuid not null,
  primary key (merchant_account_id, mark, id)
) with (fillfactor = 90);

create table payout_updates (
  merchant_account_id text not null,
  id uuid not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_account_id, id)
) with (fillfactor = 90);
create index payout_updates_by_time on payout_updates (merchant_account_id, updated_at, id);
