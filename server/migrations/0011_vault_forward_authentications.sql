-- How a forwarded request proves to the other side who sends it.
create table vault_forward_authentications (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  display_name text not null check (length(display_name) between 1 and 200),
  -- The one host that it is for, as in vault_forward_endpoints.
  host text not null check (length(host) between 3 and 259),
  -- What is no secret. The secret is in the vault.
  settings jsonb not null check (jsonb_typeof(settings) = 'object'),
  vault_token uuid not null,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);
create index vault_forward_authentications_by_account
  on vault_forward_authentications (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index vault_forward_authentications_by_age on vault_forward_authentications (created_at desc, id desc)
  where created_at > '-infinity';
