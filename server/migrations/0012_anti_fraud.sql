create table anti_fraud_services (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- The connector. Connectors are code, so there is no table to refer to.
  anti_fraud_service_definition_id text not null,
  display_name text not null check (length(display_name) between 1 and 200),
  active boolean not null,
  -- Whether a payment that is to be reviewed is held back until somebody has decided.
  reviews_enabled boolean not null,
  -- What the merchant entered, by key: what is no secret as it is, what is secret as the token of its place in the vault.
  fields jsonb not null check (jsonb_typeof(fields) = 'object'),
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- A deleted service stays for the books, and its secrets for payments that had begun before.
  deleted_at timestamptz(3)
);
-- Two could disagree about a payment, so there is one to ask.
create unique index anti_fraud_services_one_active on anti_fraud_services (merchant_account_id)
  where active and deleted_at is null;
create index anti_fraud_services_by_account
  on anti_fraud_services (merchant_account_id, created_at desc, id desc) where deleted_at is null;
-- Only queries over all accounts carry the second condition, which is always true; see buyers_by_age.
create index anti_fraud_services_by_age on anti_fraud_services (created_at desc, id desc)
  where deleted_at is null and created_at > '-infinity';
