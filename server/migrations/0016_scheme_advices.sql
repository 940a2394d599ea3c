-- A card scheme said that a card must not be tried again. Kept for 30 days.
create table scheme_advices (
  merchant_account_id text not null,
  fingerprint text not null,
  transaction_id uuid not null,
  amount integer not null,
  currency text not null,
  merchant_initiated boolean not null,
  -- merchant_advice_code: the scheme's own code. response_code: one that Visa never wants to see retried.
  kind text not null check (kind in ('merchant_advice_code', 'response_code')),
  code text not null,
  created_at timestamptz(3) not null,
  primary key (merchant_account_id, fingerprint, transaction_id)
);
create index scheme_advices_by_age on scheme_advices (created_at);
