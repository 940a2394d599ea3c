-- The rules of stored payment methods, as those of payments (0150).
create domain payment_methods_rules as payment_methods
  constraint payment_methods_status_check check (
    (value).status in ('processing', 'buyer_approval_required', 'succeeded', 'failed'))
  constraint payment_methods_external_identifier_check check (length((value).external_identifier) between 1 and 200)
  constraint payment_methods_approval_target_check check ((value).approval_target in ('any', 'new_window'))
  constraint payment_methods_expiration_date_check check ((value).expiration_date ~ '^(0[1-9]|1[0-2])/[0-9]{2}$')
  constraint payment_methods_card_type_check check ((value).card_type in ('credit', 'debit', 'prepaid'))
  constraint payment_methods_check check (
    (value).deleted_at is null or ((value).vault_token is null and (value).replacement is null))
  constraint bank_schemes check ((value).bank_scheme in ('ach', 'bacs', 'sepa'))
  constraint bank_scheme_of_bank_accounts check (((value).bank_scheme is not null) = ((value).method = 'bank'))
  constraint payment_service_of_plaid_tokens check ((value).payment_service_id is null or (value).method = 'plaid')
  constraint bank_mode check (((value).mode = 'bank') = ((value).method in ('bank', 'plaid')))
  constraint bank_accounts_are_no_cards check (
    (value).mode <> 'bank'
    or ((value).scheme is null and (value).bin is null and (value).expiration_date is null and (value).replacement is null))
  constraint bank_accounts_are_sealed check (
    (value).mode <> 'bank' or (value).deleted_at is not null or (value).vault_token is not null);
alter table payment_methods
  drop constraint payment_methods_status_check,
  drop constraint payment_methods_external_identifier_check,
  drop constraint payment_methods_approval_target_check,
  drop constraint payment_methods_expiration_date_check,
  drop constraint payment_methods_card_type_check,
  drop constraint payment_methods_check,
  drop constraint bank_schemes,
  drop constraint bank_scheme_of_bank_accounts,
  drop constraint payment_service_of_plaid_tokens,
  drop constraint bank_mode,
  drop constraint bank_accounts_are_no_cards,
  drop constraint bank_accounts_are_sealed,
  add constraint payment_methods_rules check (payment_methods::payment_methods_rules is distinct from null) not valid;
