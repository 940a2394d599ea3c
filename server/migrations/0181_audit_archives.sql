-- Links of the audit log that were moved to files, oldest first (docs/decisions/0179-archived-audit-log.md). The chain in the database
-- goes on from the newest of them.
create table audit_archives (
  id uuid primary key,
  -- When the newest entry of each of its links was made, such as 2026-01.
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- As those of archives: writing, archived, restored, abandoned.
  state text not null check (state in ('writing', 'archived', 'restored', 'abandoned')),
  file text not null unique check (file ~ '^[a-zA-Z0-9.-]{1,150}$'),
  stored_in text not null,
  first_position bigint not null check (first_position > 0),
  last_position bigint not null check (last_position >= first_position),
  last_hash bytea not null check (octet_length(last_hash) = 32),
  entries integer not null check (entries > 0),
  -- The API key pairs and merchant accounts whose creation is recorded in the file. The check of the chain misses no other.
  told text[] not null,
  -- Of the file as it is on the disk.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint check (size > 0),
  -- A keyed hash of the row: only the service can say that links are in a file.
  proof bytea check (octet_length(proof) = 32),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((state in ('archived', 'restored')) = (sha256 is not null)),
  check ((sha256 is null) = (size is null) and (sha256 is null) = (proof is null))
);
-- A link is in one file.
create unique index audit_archives_by_first on audit_archives (first_position) where state = 'archived';
create unique index audit_archives_by_last on audit_archives (last_position) where state = 'archived';
