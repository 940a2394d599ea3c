-- The installation itself: one row, made by the first start.
create table instance (
  is_only boolean primary key default true check (is_only),
  environment text not null check (environment in ('sandbox', 'production')),
  -- A keyed hash of a constant. It tells whether SECRET_KEY is the one this database was made with.
  secret_check bytea not null,
  -- When the first API key was made. It is made once: deleting it must not bring it back.
  first_key_at timestamptz(3),
  created_at timestamptz(3) not null
);

create table merchant_accounts (
  id text primary key check (id ~ '^[a-zA-Z0-9-]{1,50}$'),
  display_name text not null check (length(display_name) between 1 and 255),
  account_updater_enabled boolean not null,
  account_updater_request_encryption_key_id text,
  account_updater_response_decryption_key_id text,
  loon_accepted_schemes text[],
  loon_merchant_account_id text,
  over_capture_amount integer check (over_capture_amount between 0 and 99999999),
  over_capture_percentage integer check (over_capture_percentage between 0 and 99999999),
  async_network_tokens_enabled boolean not null,
  -- Keys for outside services, sealed as one value.
  sealed_keys bytea,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index merchant_accounts_by_age on merchant_accounts (created_at desc, id desc);

-- An account's names at the network token services. No two accounts or schemes share one.
create table merchant_account_network_tokens (
  merchant_account_id text not null references merchant_accounts,
  scheme text not null check (scheme in ('visa', 'amex', 'mastercard', 'discover')),
  requestor_id text not null constraint network_tokens_requestor_id unique,
  app_id text not null constraint network_tokens_app_id unique,
  primary key (merchant_account_id, scheme)
);

create table three_ds_configurations (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  scheme text not null,
  currency text check (currency ~ '^[A-Z]{3}$'),
  merchant_acquirer_bin text not null,
  merchant_acquirer_id text not null,
  merchant_name text not null,
  merchant_country_code text not null,
  merchant_category_code text not null,
  merchant_url text not null,
  metadata jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index three_ds_configurations_one_per_currency
  on three_ds_configurations (merchant_account_id, scheme, coalesce(currency, ''));

create table roles (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  description text not null,
  permissions text[] not null,
  assignable_to text[] not null,
  applies_to text[] not null,
  is_standalone_assignable boolean not null,
  created_at timestamptz(3) not null
);

create table api_key_pairs (
  id uuid primary key,
  thumbprint text not null constraint api_key_pairs_thumbprint unique,
  display_name text not null check (length(display_name) between 1 and 200),
  algorithm text not null check (algorithm in ('ECDSA', 'RSA', 'EdDSA')),
  signature_algorithm text not null check (signature_algorithm in ('ES256', 'ES384', 'ES512', 'RS512', 'EdDSA')),
  public_key text not null,
  active boolean not null,
  -- A copy, not a reference: the creator may be deleted, its trace must stay.
  creator_id uuid,
  creator_name text,
  creator_thumbprint text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index api_key_pairs_by_age on api_key_pairs (created_at desc, id desc);

create table api_key_pair_roles (
  api_key_pair_id uuid not null references api_key_pairs on delete cascade,
  role_id uuid not null references roles,
  primary key (api_key_pair_id, role_id)
);

-- No row for a key means all merchant accounts. `position` 0 is the one used when a request names none.
create table api_key_pair_merchant_accounts (
  api_key_pair_id uuid not null references api_key_pairs on delete cascade,
  merchant_account_id text not null references merchant_accounts,
  position integer not null,
  primary key (api_key_pair_id, merchant_account_id)
);

create table audit_logs (
  id uuid primary key,
  -- Null for what concerns the whole installation.
  merchant_account_id text,
  action text not null check (action in ('created', 'updated', 'deleted', 'voided', 'canceled', 'captured')),
  resource_type text not null,
  resource_id text not null,
  resource_name text not null,
  actor_id uuid,
  actor_name text not null,
  request_id text,
  created_at timestamptz(3) not null,
  -- The link of the chain that covers this entry; null for the few seconds until it is sealed.
  seal_position bigint
);
create index audit_logs_by_age on audit_logs (created_at desc, id desc);
create index audit_logs_by_account on audit_logs (merchant_account_id, created_at desc, id desc);
create index audit_logs_by_seal on audit_logs (seal_position, id);
create index audit_logs_unsealed on audit_logs (created_at, id) where seal_position is null;

create table audit_seals (
  position bigint primary key,
  entry_count integer not null check (entry_count > 0),
  hash bytea not null,
  sealed_at timestamptz(3) not null
);

create table idempotency_keys (
  owner text not null,
  method text not null,
  path text not null,
  key text not null check (length(key) between 1 and 255),
  request_mac bytea not null,
  fence integer not null,
  leased_until timestamptz(3) not null,
  status smallint,
  response bytea,
  created_at timestamptz(3) not null,
  primary key (owner, method, path, key),
  check ((status is null) = (response is null))
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- The shape rate-limiter-flexible expects.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

insert into roles (id, slug, name, description, permissions, assignable_to, applies_to, is_standalone_assignable, created_at)
values
  (
    '01900000-0000-7000-8000-000000000001', 'administrator', 'Administrator',
    'Everything, on all resources.',
    '{*.read,*.write}',
    '{user,api-key-pair}', '{}', true, '2026-01-01T00:00:00.003Z'
  ),
  (
    '01900000-0000-7000-8000-000000000002', 'processing', 'Processing',
    'Payments from checkout to refund, with the buyers and payment methods they need. Reads reports.',
    '{bin-checker.read,buyers.billing-details.read,buyers.billing-details.write,buyers.read,buyers.write,card-scheme-definitions.read,checkout-sessions.read,checkout-sessions.write,digital-wallets.read,digital-wallets.write,gift-cards.read,gift-cards.write,payment-links.read,payment-links.write,payment-method-definitions.read,payment-methods.read,payment-methods.write,payment-options.read,payment-service-definitions.read,payment-services.read,payouts.read,payouts.write,reports.read,transactions.read,transactions.write}',
    '{user,api-key-pair}', '{}', true, '2026-01-01T00:00:00.002Z'
  ),
  (
    '01900000-0000-7000-8000-000000000003', 'reporting', 'Reporting',
    'Reads payments and what surrounds them. Changes nothing.',
    '{bin-checker.read,buyers.billing-details.read,buyers.read,card-scheme-definitions.read,checkout-sessions.read,gift-cards.read,merchant-accounts.read,metrics-explorer.read,monitoring.read,payment-links.read,payment-method-definitions.read,payment-methods.read,payment-service-definitions.read,payment-services.read,payouts.read,reports.read,transactions.read}',
    '{user,api-key-pair}', '{}', true, '2026-01-01T00:00:00.001Z'
  ),
  (
    '01900000-0000-7000-8000-000000000004', 'system-manager', 'System manager',
    'Sets up the installation: merchant accounts, keys, payment services, webhooks, rules. Moves no money.',
    '{anti-fraud-service-definitions.read,anti-fraud-services.read,anti-fraud-services.write,api-key-pairs.read,api-key-pairs.write,api-logs.read,apple-pay-certificates.read,apple-pay-certificates.write,audit-logs.read,card-scheme-definitions.read,digital-wallets.read,digital-wallets.write,flows.read,flows.write,gift-card-service-definitions.read,gift-card-services.read,gift-card-services.write,health-dashboard.read,merchant-accounts.read,merchant-accounts.write,monitoring.read,monitoring.write,payment-method-definitions.read,payment-service-definitions.read,payment-services.read,payment-services.write,roles.read,three-ds-scenarios.read,three-ds-scenarios.write,vault-forward-configs.read,vault-forward-configs.write,vault-forward-definitions.read,webhook-subscriptions.read,webhook-subscriptions.write}',
    '{user,api-key-pair}', '{}', true, '2026-01-01T00:00:00.000Z'
  );

insert into merchant_accounts (id, display_name, account_updater_enabled, async_network_tokens_enabled, created_at, updated_at)
values ('default', 'Default', false, false, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()));
