-- People without two of whom no cards are written out of the vault. Each knows a share; here is a keyed digest of it.
create table vault_export_shares (
  holder text primary key check (length(holder) between 1 and 200),
  digest bytea not null unique,
  created_at timestamptz(3) not null
);
