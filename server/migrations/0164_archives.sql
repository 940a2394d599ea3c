-- Old, finished payments that were moved to files (docs/decisions/0164-archives.md). An archive is one file: up to a thousand payments of
-- one account and one month.
create table archives (
  merchant_account_id text not null references merchant_accounts,
  id uuid not null,
  -- When its payments were made, such as 2026-01.
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- writing: the payments are still in the database, and the file counts for nothing. archived: they are in the file alone.
  -- restored: they are back, and the file is a copy. abandoned: it was not finished, and its file was removed.
  state text not null check (state in ('writing', 'archived', 'restored', 'abandoned')),
  file text not null unique check (file ~ '^[a-zA-Z0-9.-]{1,150}$'),
  -- Tells one folder from another, wherever it is mounted.
  stored_in text not null,
  -- Of the file as it is on the disk.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint check (size > 0),
  payments integer check (payments > 0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_account_id, id),
  check ((state in ('archived', 'restored')) = (sha256 is not null)),
  check ((sha256 is null) = (size is null) and (sha256 is null) = (payments is null))
);

-- Where each archived payment is. Answers say so, and the erasure of a buyer does not overlook it.
create table archived_payments (
  merchant_account_id text not null,
  id uuid not null,
  archive_id uuid not null,
  buyer_id uuid,
  primary key (merchant_account_id, id),
  foreign key (merchant_account_id, archive_id) references archives (merchant_account_id, id)
);
create index archived_payments_by_buyer on archived_payments (merchant_account_id, buyer_id) where buyer_id is not null;
