create table buyers (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- What a search looks at, in lower case: a line each for display name, e-mail address and external identifier.
  search_text text not null,
  display_name text check (length(display_name) between 1 and 200),
  external_identifier text check (length(external_identifier) between 1 and 200),
  account_number text check (length(account_number) between 1 and 200),
  billing_details jsonb check (jsonb_typeof(billing_details) = 'object'),
  -- What the index below knows the buyer by; server/src/resources/buyers/search-terms.ts makes it.
  search_terms tsvector not null
);
create unique index buyers_external_identifier on buyers (merchant_account_id, external_identifier);
create index buyers_by_account on buyers (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry its condition, which is always true: for one account, the planner would sometimes
-- rather walk everybody's rows.
create index buyers_by_age on buyers (created_at desc, id desc) where created_at > '-infinity';
-- `fastupdate` would put new terms aside, for every search to read through and some unlucky write to sort in.
create index buyers_search on buyers using gin (search_terms) with (fastupdate = off);
-- Collecting statistics about it takes seconds, and the only query that asks for terms has no other plan to choose.
alter table buyers alter column search_terms set statistics 0;

create table buyer_shipping_details (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  buyer_id uuid not null references buyers on delete cascade,
  first_name text check (length(first_name) between 1 and 255),
  last_name text check (length(last_name) between 1 and 255),
  email_address text check (length(email_address) between 1 and 320),
  phone_number text,
  address jsonb check (jsonb_typeof(address) = 'object'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index buyer_shipping_details_by_age on buyer_shipping_details (buyer_id, created_at desc, id desc);
