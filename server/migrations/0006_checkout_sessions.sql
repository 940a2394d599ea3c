-- An order while it is being paid for, and what the buyer's browser entered to pay for it. Rows go a week after they
-- expired; whoever refers to one keeps its id only.
-- No references: checking one would lock a row that all sessions of an account share. Accounts are never deleted, and
-- stored methods keep their rows.
create table checkout_sessions (
  id uuid primary key,
  merchant_account_id text not null,
  cart_items jsonb,
  metadata jsonb,
  buyer jsonb,
  airline jsonb,
  amount integer check (amount between 0 and 99999999),
  currency text check (currency ~ '^[A-Z]{3}$'),
  country text check (country ~ '^[A-Z]{2}$'),
  payment_service_id uuid,
  intent text check (intent in ('authorize', 'capture')),
  payment_source text
    check (payment_source in ('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file')),
  merchant_initiated boolean,
  is_subsequent_payment boolean,
  expires_at timestamptz(3) not null,

  -- From here on: what was entered. All of it is null until then, and again when it is forgotten.
  method text check (method in ('card', 'id', 'click-to-pay')),
  payment_method_id uuid,
  -- Where the vault keeps the number and the security code. The code is kept for minutes only.
  number_token uuid,
  security_code_token uuid,
  security_code_expires_at timestamptz(3),
  label text,
  scheme text,
  additional_schemes text[],
  expiration_date text check (expiration_date ~ '^(0[1-9]|1[0-2])/[0-9]{2}$'),
  fingerprint text,
  bin text,
  card_type text check (card_type in ('credit', 'debit', 'prepaid')),
  card_issuer_name text,
  card_country text,
  click_to_pay jsonb,
  postal_code text check (length(postal_code) between 1 and 50),

  -- The payment under way, or the one that has paid for it. While there is one, nothing else can be entered.
  transaction_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((security_code_token is null) = (security_code_expires_at is null)),
  check ((number_token is not null) = (coalesce(method, '') = 'card')),
  check ((payment_method_id is not null) = (coalesce(method, '') = 'id'))
);
create index checkout_sessions_by_expiry on checkout_sessions (expires_at);
create index checkout_sessions_with_something_entered on checkout_sessions (expires_at) where method is not null;
create index checkout_sessions_with_code
  on checkout_sessions (security_code_expires_at) where security_code_token is not null;
