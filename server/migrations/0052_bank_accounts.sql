-- Bank accounts as stored payment methods. The vault keeps their numbers, and Plaid's tokens. No older row is one, so the
-- rows that are there need not be read to check them.
alter table payment_methods
  add column bank_scheme text,
  -- The service that Plaid's token was made for. Null: any service that takes such tokens.
  add column payment_service_id uuid,
  add constraint bank_schemes check (bank_scheme in ('ach', 'bacs', 'sepa')) not valid,
  add constraint bank_scheme_of_bank_accounts check ((bank_scheme is not null) = (method = 'bank')) not valid,
  add constraint payment_service_of_plaid_tokens check (payment_service_id is null or method = 'plaid') not valid,
  add constraint payment_service_exists foreign key (payment_service_id) references payment_services not valid,
  add constraint bank_mode check ((mode = 'bank') = (method in ('bank', 'plaid'))) not valid,
  add constraint bank_accounts_are_no_cards
    check (mode <> 'bank' or (scheme is null and bin is null and expiration_date is null and replacement is null)) not valid,
  add constraint bank_accounts_are_sealed check (mode <> 'bank' or deleted_at is not null or vault_token is not null) not valid;
