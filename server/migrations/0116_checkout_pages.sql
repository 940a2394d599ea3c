-- The page of ours on which a buyer pays a checkout session. It goes with its session.
create table checkout_pages (
  session_id uuid primary key references checkout_sessions on delete cascade,
  merchant_account_id text not null references merchant_accounts,
  locale text,
  return_url text,
  external_identifier text check (length(external_identifier) between 1 and 200),
  store text not null default 'never' check (store in ('never', 'ask', 'always')),
  ask_security_code boolean not null default true,
  allowed_origins text[] not null default '{}',
  -- How many payments were tried. A form names the number that it was made with, so sending it twice pays once.
  tries integer not null default 0 check (tries >= 0),
  -- The latest payment, and SHA-256 of the secret of the browser that made it.
  last_transaction_id uuid,
  last_attempt text check (last_attempt ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((last_transaction_id is null) = (last_attempt is null))
);

-- The same for payment links. Payments of earlier versions are not known by a secret.
alter table payment_links
  add column last_transaction_id uuid,
  add column last_attempt text,
  add constraint attempt_of_a_payment
    check ((last_transaction_id is null) = (last_attempt is null) and last_attempt ~ '^[0-9a-f]{64}$') not valid;
