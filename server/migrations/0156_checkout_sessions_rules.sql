-- The rules of checkout sessions, as those of payments (0150).
create domain checkout_sessions_rules as checkout_sessions
  constraint checkout_sessions_amount_check check ((value).amount between 0 and 99999999)
  constraint checkout_sessions_currency_check check ((value).currency ~ '^[A-Z]{3}$')
  constraint checkout_sessions_country_check check ((value).country ~ '^[A-Z]{2}$')
  constraint checkout_sessions_intent_check check ((value).intent in ('authorize', 'capture'))
  constraint checkout_sessions_payment_source_check check (
    (value).payment_source in ('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file'))
  constraint checkout_sessions_method_check check ((value).method in ('card', 'id', 'click-to-pay'))
  constraint checkout_sessions_expiration_date_check check ((value).expiration_date ~ '^(0[1-9]|1[0-2])/[0-9]{2}$')
  constraint checkout_sessions_card_type_check check ((value).card_type in ('credit', 'debit', 'prepaid'))
  constraint checkout_sessions_postal_code_check check (length((value).postal_code) between 1 and 50)
  constraint checkout_sessions_check check (
    ((value).security_code_token is null) = ((value).security_code_expires_at is null))
  constraint checkout_sessions_check1 check (
    ((value).number_token is not null) = (coalesce((value).method, '') = 'card'))
  constraint checkout_sessions_check2 check (
    ((value).payment_method_id is not null) = (coalesce((value).method, '') = 'id'));
alter table checkout_sessions
  drop constraint checkout_sessions_amount_check,
  drop constraint checkout_sessions_currency_check,
  drop constraint checkout_sessions_country_check,
  drop constraint checkout_sessions_intent_check,
  drop constraint checkout_sessions_payment_source_check,
  drop constraint checkout_sessions_method_check,
  drop constraint checkout_sessions_expiration_date_check,
  drop constraint checkout_sessions_card_type_check,
  drop constraint checkout_sessions_postal_code_check,
  drop constraint checkout_sessions_check,
  drop constraint checkout_sessions_check1,
  drop constraint checkout_sessions_check2,
  add constraint checkout_sessions_rules check (checkout_sessions::checkout_sessions_rules is distinct from null) not valid;
