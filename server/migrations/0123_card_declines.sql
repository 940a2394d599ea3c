-- The declined attempts with each card, for what card schemes say about trying it again.
create table card_declines (
  merchant_account_id text not null,
  fingerprint text not null,
  attempt_id uuid not null,
  transaction_id uuid not null,
  -- Another date makes it another card: the issuer has renewed it.
  expiration_date text,
  -- What was presented: the number, or a token in its place.
  instrument_type text,
  scheme text,
  merchant_initiated boolean not null,
  amount integer not null,
  currency text not null,
  -- Whether the issuer declined, which counts for the limits. Advice may also come with a technical failure.
  is_decline boolean not null,
  -- What the scheme advised, if it did.
  kind text check (kind in ('merchant_advice_code', 'response_code')),
  code text,
  created_at timestamptz(3) not null,
  -- No rule of a scheme needs it any more.
  forget_at timestamptz(3) not null,
  primary key (merchant_account_id, fingerprint, attempt_id),
  check ((kind is null) = (code is null)),
  check (forget_at >= created_at)
);
create index card_declines_to_forget on card_declines (forget_at);

insert into card_declines
  select a.merchant_account_id, a.fingerprint, a.transaction_id, a.transaction_id, null, null, t.payment_method_scheme,
    a.merchant_initiated, a.amount, a.currency, true, a.kind, a.code, a.created_at, a.created_at + interval '30 days'
  from scheme_advices a left join transactions t on t.merchant_account_id = a.merchant_account_id and t.id = a.transaction_id;

-- `scheme_advices` stays until no process of the version before writes to it.

-- How a merchant wants the rules of card schemes to be treated. No row: as schemes want it.
create table retry_policies (
  merchant_account_id text primary key references merchant_accounts,
  mode text not null check (mode in ('obey', 'warn')),
  -- Null: the limits of the schemes.
  limits jsonb check (jsonb_typeof(limits) = 'array' and jsonb_array_length(limits) <= 50),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
