-- What the issuer answers in a sandbox, for the payments that meet the conditions.
create table three_ds_scenarios (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- A condition that is null is met by every payment.
  first_name text check (length(first_name) between 1 and 255),
  last_name text check (length(last_name) between 1 and 255),
  email_address text check (length(email_address) between 1 and 320),
  amount integer check (amount between 0 and 99999999),
  external_identifier text check (length(external_identifier) between 1 and 200),
  -- Of a card number, only the vault's fingerprint, to compare, and the digits that may be shown.
  card_fingerprint text,
  card_masked text check (card_masked ~ '^[0-9]{6,8}[*]{3,}[0-9]{4}$'),
  version text check (version ~ '^[12]([.][0-9]+){0,2}$'),
  authentication_status text not null check (authentication_status in ('Y', 'N', 'A', 'R', 'U', 'C', 'timeout')),
  -- The issuer's answer after a challenge.
  result_status text check (result_status in ('Y', 'N', 'timeout')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((card_fingerprint is null) = (card_masked is null)),
  check ((authentication_status = 'C') = (result_status is not null))
);
create index three_ds_scenarios_by_account on three_ds_scenarios (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index three_ds_scenarios_by_age on three_ds_scenarios (created_at desc, id desc) where created_at > '-infinity';
