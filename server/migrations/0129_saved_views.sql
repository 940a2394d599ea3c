-- Lists as users like to see them: filters and columns, under a name.
create table saved_views (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  user_id uuid not null references users,
  -- The list, by the first part of its path.
  resource text not null check (resource ~ '^[a-z-]{1,50}$'),
  name text not null check (length(name) between 1 and 100),
  query jsonb not null check (jsonb_typeof(query) = 'object' and octet_length(query::text) <= 16384),
  -- In their order. Empty: as the page shows them by itself.
  columns text[] not null check (cardinality(columns) <= 50),
  -- Whether all users of the account see it.
  is_shared boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index saved_views_name on saved_views (user_id, merchant_account_id, resource, lower(name));
create index saved_views_by_account on saved_views (merchant_account_id, created_at desc, id desc);
