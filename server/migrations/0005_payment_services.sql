create table payment_services (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- The connector. Connectors are code, so there is no table to refer to.
  payment_service_definition_id text not null,
  -- The connector's method, kept here so that a list can be filtered by it.
  method text not null,
  display_name text not null check (length(display_name) between 1 and 200),
  active boolean not null,
  -- The order in which services are tried, lowest first.
  position integer not null,
  status text not null check (status in ('pending', 'created', 'failed')),
  accepted_currencies text[] not null check (cardinality(accepted_currencies) > 0),
  accepted_countries text[] not null check (cardinality(accepted_countries) > 0),
  -- What the merchant entered, by key: what is no secret as it is, what is secret as the token of its place in the vault.
  fields jsonb not null check (jsonb_typeof(fields) = 'object'),
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
  reporting_fields jsonb not null check (jsonb_typeof(reporting_fields) = 'object'),
  reporting_secrets jsonb not null check (jsonb_typeof(reporting_secrets) = 'object'),
  three_d_secure_enabled boolean not null,
  merchant_profile jsonb check (jsonb_typeof(merchant_profile) = 'object'),
  payment_method_tokenization_enabled boolean not null,
  network_tokens_enabled boolean not null,
  open_loop boolean not null,
  settlement_reporting_enabled boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  -- A deleted service stays for the books; its secrets do not.
  check (deleted_at is null or (secrets = '{}' and reporting_secrets = '{}'))
);
create index payment_services_by_account on payment_services (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry its condition, which is always true; see buyers_by_age.
create index payment_services_by_age on payment_services (created_at desc, id desc) where created_at > '-infinity';
create index payment_services_in_use on payment_services (merchant_account_id, method, position, created_at, id)
  where active and status = 'created' and deleted_at is null;

-- When a sandbox got the payment service that it starts with. It gets it once: deleting it must not bring it back.
alter table instance add column first_service_at timestamptz(3);
