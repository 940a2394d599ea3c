-- The keys for which files of cards are encrypted. The vault keeps their private halves.
create table vault_import_keys (
  fingerprint text primary key check (fingerprint ~ '^[0-9A-F]{40}$'),
  public_key text not null,
  vault_token uuid not null,
  created_at timestamptz(3) not null
);

-- Files of cards that were imported, or are being imported.
create table vault_imports (
  id uuid primary key,
  -- A keyed digest of what was decrypted, and of how it is read. It recognises the same content and tells nothing about it.
  content bytea not null unique,
  file_name text not null, layout text not null,
  status text not null check (status in ('importing', 'finished')),
  row_count integer not null check (row_count > 0),
  -- How far it is. The rows that follow from it are in the same commit.
  rows_done integer not null default 0 check (rows_done <= row_count),
  imported integer not null default 0, duplicates integer not null default 0, failed integer not null default 0,
  -- When the rows below are removed. Null: they are.
  rows_until timestamptz(3),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  check (imported + duplicates + failed = rows_done),
  check ((status = 'finished') = (rows_done = row_count))
);
create index vault_imports_by_age on vault_imports (created_at desc, id desc);

-- What became of each row, until its result has been kept long enough.
create table vault_import_rows (
  import_id uuid not null references vault_imports,
  row_number integer not null,
  -- The file's own name of the row. Null: the row has none that may be shown.
  reference text,
  status text not null check (status in ('imported', 'duplicate', 'failed')),
  buyer_id uuid,
  -- Of the payment method or the gift card.
  stored_id uuid,
  -- What is wrong with the row, or remarkable about it. Names columns, never what is in them.
  message text,
  primary key (import_id, row_number),
  check ((status = 'failed') = (stored_id is null))
);
create unique index vault_import_rows_by_reference on vault_import_rows (import_id, reference) where status <> 'failed';

-- An import adds thousands of buyers a second, each with some fifty terms. Put aside and sorted in together, they cost a seventh. So few
-- are put aside that a search reads through them in no time.
alter index buyers_search set (fastupdate = on, gin_pending_list_limit = 256);
