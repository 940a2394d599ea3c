-- A merchant account's registration at a digital wallet. There is one for each provider.
create table digital_wallets (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  provider text not null check (provider in ('apple', 'google', 'click-to-pay', 'paze')),
  merchant_name text not null check (length(merchant_name) <= 1024),
  merchant_display_name text check (length(merchant_display_name) <= 1024),
  merchant_url text check (length(merchant_url) <= 2048),
  merchant_country_code text check (merchant_country_code ~ '^[A-Z]{2}$'),
  merchant_category_code text check (length(merchant_category_code) = 4),
  address jsonb check (jsonb_typeof(address) = 'object'),
  extra_configuration jsonb check (jsonb_typeof(extra_configuration) = 'object'),
  -- In small letters and in ASCII, each once.
  domain_names text[] not null check (cardinality(domain_names) <= 99),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (merchant_account_id, id)
);
create unique index digital_wallets_one_per_provider on digital_wallets (merchant_account_id, provider);
create index digital_wallets_by_age on digital_wallets (created_at desc, id desc);
-- Apple asks for the file that proves a domain by the name of the domain alone.
create index digital_wallets_by_domain on digital_wallets using gin (domain_names) where provider = 'apple';

-- The keys of a wallet. The private half of each is in the vault.
create table digital_wallet_keys (
  id uuid primary key,
  merchant_account_id text not null,
  digital_wallet_id uuid not null,
  purpose text not null check (purpose in ('apple-merchant-identity', 'apple-payment-processing', 'google-payment')),
  -- SubjectPublicKeyInfo as PEM, and the SHA-256 of its DER in base64, by which Apple's tokens name their key.
  public_key text not null,
  public_key_hash text not null check (length(public_key_hash) = 44),
  private_key_token uuid not null unique,
  certificate_signing_request text,
  certificate text,
  serial_number text,
  merchant_identifier text,
  expires_at timestamptz(3),
  recipient_id text check (recipient_id ~ '^(gateway|merchant):.+$'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  foreign key (merchant_account_id, digital_wallet_id) references digital_wallets (merchant_account_id, id),
  check ((purpose = 'google-payment') = (recipient_id is not null)),
  check (purpose <> 'google-payment' or certificate_signing_request is null and certificate is null),
  -- Without a certificate, a key of Apple Pay waits for the one that its signing request asks for.
  check (purpose = 'google-payment' or certificate_signing_request is not null or certificate is not null),
  check ((certificate is null) = (expires_at is null)),
  check ((certificate is null) = (serial_number is null)),
  check ((certificate is null) = (merchant_identifier is null))
);
create unique index digital_wallet_keys_once on digital_wallet_keys (digital_wallet_id, purpose, public_key_hash);
