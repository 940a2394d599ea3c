-- The rules of payouts, as those of payments (0150).
create domain payouts_rules as payouts
  constraint payouts_amount_check check ((value).amount between 1 and 99999999)
  constraint payouts_currency_check check ((value).currency ~ '^[A-Z]{3}$')
  constraint payouts_category_check check ((value).category in ('online_gambling'))
  constraint payouts_external_identifier_check check (length((value).external_identifier) between 1 and 200)
  constraint payouts_status_check check ((value).status in ('pending', 'succeeded', 'declined', 'failed'))
  constraint payouts_payment_service_payout_id_check check ((value).payment_service_payout_id <> '')
  constraint succeeded_with_reference check (
    (value).status <> 'succeeded' or (value).payment_service_payout_id is not null);
alter table payouts
  drop constraint payouts_amount_check,
  drop constraint payouts_currency_check,
  drop constraint payouts_category_check,
  drop constraint payouts_external_identifier_check,
  drop constraint payouts_status_check,
  drop constraint payouts_payment_service_payout_id_check,
  drop constraint succeeded_with_reference,
  add constraint payouts_rules check (payouts::payouts_rules is distinct from null) not valid;
