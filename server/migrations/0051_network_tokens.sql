-- The scheme's name of the account behind a card, the same for its number and all of its tokens. It comes first, because it
-- takes the strongest lock: a stronger lock after a weaker one can end in a deadlock with a payment.
alter table payment_methods
  add column payment_account_reference text,
  -- The last digits and the date of the number in the vault, if a token's service has told of a newer card. `label` and
  -- `expiration_date` show the newer one.
  add column number_label text,
  add column number_expiration_date text;

-- A token that stands in for a stored card's number at its scheme. The token's own number is in the vault. What is asked
-- of the token service is in `attempts`: their subject is the token.
create table network_tokens (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  payment_method_id uuid not null references payment_methods,
  scheme text not null check (scheme in ('visa', 'amex', 'mastercard', 'discover')),
  -- The merchant's ids at the service when the token was asked for. The service knows the token under these, also after the
  -- merchant account has got others.
  requestor_id text not null,
  app_id text not null,
  -- `provisioning` until the service has answered, `failed` if it has made none. Neither is shown.
  status text not null check (status in ('provisioning', 'inactive', 'active', 'suspended', 'deleted', 'failed')),
  -- What the service is being asked to do with it. Meanwhile the token is not used.
  operation text check (operation in ('suspend', 'resume')),
  merchant_initiated boolean not null,
  is_subsequent_payment boolean not null,
  -- The payment that stored the card, whose history tells how the provisioning ended.
  transaction_id uuid,
  -- The service's own id of the token.
  reference text,
  vault_token uuid,
  fingerprint text,
  label text check (label ~ '^[0-9]{4}$'),
  expiration_date text check (expiration_date ~ '^(0[1-9]|1[0-2])/[0-9]{2}$'),
  error_code text,
  -- When a payment with it was first approved. Later ones that the merchant initiates need no cryptogram.
  first_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint network_tokens_number check (
    (status in ('inactive', 'active', 'suspended')) = (vault_token is not null)
    and (vault_token is null or (reference is not null and fingerprint is not null))
  ),
  constraint network_tokens_shown check (
    status in ('provisioning', 'failed', 'deleted') or (label is not null and expiration_date is not null)
  ),
  constraint network_tokens_operation check (operation is null or status in ('active', 'suspended')),
  constraint network_tokens_error check ((status = 'failed') = (error_code is not null))
);
-- A card has one token at a time, however often it is asked for.
create unique index network_tokens_one_live on network_tokens (payment_method_id)
  where status not in ('deleted', 'failed');
create index network_tokens_by_method on network_tokens (payment_method_id, created_at desc, id desc);
