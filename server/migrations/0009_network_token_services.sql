-- The merchant's own accounts at token services.
create table network_token_services (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- The connector. Connectors are code, so there is no table to refer to.
  network_token_service_definition_id text not null,
  display_name text not null check (length(display_name) between 1 and 200),
  active boolean not null,
  -- What the merchant entered, by key: what is no secret as it is, what is secret as the token of its place in the vault.
  fields jsonb not null check (jsonb_typeof(fields) = 'object'),
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  -- A deleted service stays for the books, and its secrets for the tokens that it has made.
  deleted_at timestamptz(3)
);
-- A card has one token, so there is one service to ask.
create unique index network_token_services_one_active on network_token_services (merchant_account_id)
  where active and deleted_at is null;
create index network_token_services_by_account on network_token_services (merchant_account_id, created_at desc, id desc)
  where deleted_at is null;
-- Only queries over all accounts carry the second condition, which is always true; see buyers_by_age.
create index network_token_services_by_age on network_token_services (created_at desc, id desc)
  where deleted_at is null and created_at > '-infinity';
-- Built-in roles that set up or see anti-fraud services do the same with these.
update roles set permissions = array(
  select distinct permission from unnest(permissions || array(
    select replace(permission, 'anti-fraud-service', 'network-token-service') from unnest(permissions) permission
    where starts_with(permission, 'anti-fraud-service')
  )) permission order by permission
) where not is_custom and 'anti-fraud-services.read' = any (permissions);

-- Who has made a token. Null: the simulator, which needs no account. A service may have ids of its own at the schemes.
alter table network_tokens
  add column service_id uuid references network_token_services,
  alter column requestor_id drop not null,
  alter column app_id drop not null;
-- No row has a service yet, so it is built at once.
create index network_tokens_by_service on network_tokens (service_id) where service_id is not null;
