-- Tokens of Apple Pay and Google Pay that have paid. Each pays once, whichever merchant account sends it.
create table used_wallet_tokens (
  -- The SHA-256 of the id that the wallet gave the token.
  digest text primary key check (digest ~ '^[0-9a-f]{64}$'),
  merchant_account_id text not null references merchant_accounts,
  transaction_id uuid not null,
  -- From then on the token itself is refused for its age, and the row can be deleted.
  expires_at timestamptz(3) not null
);
create index used_wallet_tokens_by_expiry on used_wallet_tokens (expires_at);
