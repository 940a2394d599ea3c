create table gift_card_services (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- The connector. Connectors are code, so there is no table to refer to.
  gift_card_service_definition_id text not null,
  display_name text not null check (length(display_name) between 1 and 200),
  active boolean not null,
  -- What the merchant entered, by key: what is no secret as it is, what is secret as the token of its place in the vault.
  fields jsonb not null check (jsonb_typeof(fields) = 'object'),
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- A deleted service stays for the books, and its secrets while something is open there.
  deleted_at timestamptz(3)
);
-- A card does not say whose it is, so there is one service to ask.
create unique index gift_card_services_one_active on gift_card_services (merchant_account_id)
  where active and deleted_at is null;
create index gift_card_services_by_account
  on gift_card_services (merchant_account_id, created_at desc, id desc) where deleted_at is null;
-- Only queries over all accounts carry the second condition, which is always true; see buyers_by_age.
create index gift_card_services_by_age on gift_card_services (created_at desc, id desc)
  where deleted_at is null and created_at > '-infinity';

-- When a sandbox got the gift card service that it starts with. It gets it once: deleting it must not bring it back.
alter table instance add column first_gift_card_service_at timestamptz(3);

create table gift_cards (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- The service that knows the card. No other is ever told its number.
  gift_card_service_id uuid not null references gift_card_services,
  buyer_id uuid references buyers on delete set null,
  bin text not null check (bin ~ '^[0-9]{6}$'),
  sub_bin text not null check (sub_bin ~ '^[0-9]{3}$'),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  fingerprint text not null,
  -- Where the vault keeps number and PIN. Null once the card is deleted: they are gone, the row stays for the books.
  number_token uuid,
  pin_token uuid,
  expires_at timestamptz(3),
  usage_count integer not null default 0,
  last_used_at timestamptz(3),
  cit_usage_count integer not null default 0,
  cit_last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  check ((deleted_at is null) = (number_token is not null)),
  check ((deleted_at is null) = (pin_token is not null))
);
create unique index gift_cards_once_per_buyer on gift_cards (buyer_id, fingerprint)
  where deleted_at is null and buyer_id is not null;
create index gift_cards_by_account
  on gift_cards (merchant_account_id, created_at desc, id desc) where deleted_at is null;
create index gift_cards_by_age on gift_cards (created_at desc, id desc)
  where deleted_at is null and created_at > '-infinity';
-- Of deleted cards as well, as deleting a buyer looks for them.
create index gift_cards_by_buyer on gift_cards (buyer_id, created_at desc, id desc) where buyer_id is not null;

-- Each use is a row of its own, and a job adds them up; see payment_method_uses.
create table gift_card_uses (
  id uuid primary key,
  gift_card_id uuid not null,
  used_at timestamptz(3) not null,
  is_client_initiated boolean not null
);
create index gift_card_uses_by_card on gift_card_uses (gift_card_id);

-- What a gift card service was asked for that moves money, other than for a payment. The id is our attempt id.
create table gift_card_operations (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  gift_card_service_id uuid not null references gift_card_services,
  kind text not null check (kind in ('activate', 'issue')),
  -- sent: an answer is awaited. unknown: there was none that could be read. The others are final.
  state text not null check (state in ('sent', 'unknown', 'approved', 'refused')),
  amount integer check (amount between 0 and 99999999),
  currency text check (currency ~ '^[A-Z]{3}$'),
  external_identifier text,
  -- The card that is activated.
  bin text,
  sub_bin text,
  last4 text,
  fingerprint text,
  -- Where the vault keeps number and PIN of a card that is to be stored, until it is.
  number_token uuid,
  pin_token uuid,
  buyer_id uuid references buyers on delete set null,
  -- The card that was stored.
  gift_card_id uuid references gift_cards,
  expires_at timestamptz(3),
  -- The service's id of it.
  reference text,
  -- Why it was refused, in our words and in the service's.
  error_code text,
  raw_error_code text,
  raw_error_message text,
  checks integer not null default 0,
  -- When to ask the service what became of it. Null once it is known.
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((state in ('approved', 'refused')) = (due_at is null)),
  check (kind <> 'activate' or fingerprint is not null),
  check (kind <> 'issue' or amount is not null and currency is not null),
  check (due_at is not null or (number_token is null and pin_token is null))
);
create index gift_card_operations_due on gift_card_operations (due_at) where due_at is not null;
create index gift_card_operations_open on gift_card_operations (gift_card_service_id) where due_at is not null;
-- A second activation waits until it is known what became of the first.
create unique index gift_card_operations_one_activation on gift_card_operations (gift_card_service_id, fingerprint)
  where kind = 'activate' and due_at is not null;
create index gift_card_operations_by_buyer on gift_card_operations (buyer_id) where buyer_id is not null;
