-- Where card data may be forwarded to in production.
create table vault_forward_endpoints (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- With the port, if it is not that of HTTPS.
  host text not null check (length(host) between 3 and 259),
  -- An empty list: every path.
  paths text[] not null, methods text[] not null check (methods <@ '{POST,PUT,PATCH}' and cardinality(methods) > 0),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);
create unique index vault_forward_endpoints_by_host on vault_forward_endpoints (merchant_account_id, host);
create index vault_forward_endpoints_by_account on vault_forward_endpoints (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index vault_forward_endpoints_by_age on vault_forward_endpoints (created_at desc, id desc)
  where created_at > '-infinity';
