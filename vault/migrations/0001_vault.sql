-- The vault keeps what must never be read from a copy of the database. Its keys are not in it.
create schema if not exists vault;

-- The key-encryption keys that this vault has known, by id. The keys themselves are kept outside.
create table vault.key_encryption_keys (
  id text primary key,
  environment text not null,
  state text not null check (state in ('active', 'decrypt-only', 'destroyed')),
  created_at timestamptz(3) not null,
  destroyed_at timestamptz(3)
);
create unique index key_encryption_keys_one_active on vault.key_encryption_keys (state) where state = 'active';

-- One active data key for each merchant account, and one key for fingerprints, each wrapped by a key-encryption key.
create table vault.data_keys (
  id uuid primary key,
  purpose text not null check (purpose in ('seal', 'fingerprint')),
  -- Empty for the fingerprint key: the same card has the same fingerprint in every account.
  merchant_account_id text not null,
  key_encryption_key_id text not null references vault.key_encryption_keys,
  wrapped bytea,
  state text not null check (state in ('active', 'decrypt-only', 'destroyed')),
  created_at timestamptz(3) not null,
  destroyed_at timestamptz(3),
  check ((state = 'destroyed') = (wrapped is null))
);
create unique index data_keys_one_active on vault.data_keys (purpose, merchant_account_id) where state = 'active';
create index data_keys_by_wrapping on vault.data_keys (key_encryption_key_id) where state <> 'destroyed';

create table vault.items (
  token uuid primary key,
  merchant_account_id text not null,
  field text not null,
  data_key_id uuid not null references vault.data_keys,
  sealed bytea not null,
  created_at timestamptz(3) not null
);
-- Rotation walks the items of a retired key.
create index items_by_data_key on vault.items (data_key_id, token);
