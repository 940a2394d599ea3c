-- The rules of payments become rules of a domain over the row. PostgreSQL reads the checks of a table anew for every statement
-- that writes to it, but those of a domain once for each connection (docs/decisions/0156-rules-in-domains.md).
-- Not valid: the rows that are there have passed the same rules, and reading them all would hold up payments. A later
-- migration checks them beside the work.
create domain transactions_rules as transactions
  constraint transactions_intent_check check ((value).intent in ('authorize', 'capture'))
  constraint transactions_amount_check check ((value).amount between 0 and 99999999)
  constraint transactions_currency_check check ((value).currency ~ '^[A-Z]{3}$')
  constraint transactions_payment_source_check check (
    (value).payment_source in ('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file'))
  constraint transactions_status_check check (
    (value).status in (
      'processing', 'buyer_approval_pending', 'authorization_succeeded', 'authorization_declined',
      'authorization_failed', 'authorization_voided', 'authorization_void_pending', 'capture_pending',
      'capture_succeeded'))
  constraint transactions_authorized_amount_check check ((value).authorized_amount >= 0)
  constraint transactions_capture_limit_check check ((value).capture_limit >= 0)
  constraint transactions_captured_amount_check check ((value).captured_amount >= 0)
  constraint transactions_capturing_amount_check check ((value).capturing_amount >= 0)
  constraint transactions_refunded_amount_check check ((value).refunded_amount >= 0)
  constraint transactions_refunding_amount_check check ((value).refunding_amount >= 0)
  constraint transactions_gift_card_amount_check check ((value).gift_card_amount between 0 and 99999999)
  constraint gift_cards_within_amount check ((value).gift_card_amount <= (value).amount)
  constraint captured_within_limit check (
    (value).captured_amount - (value).uncollected_amount + (value).capturing_amount <= (value).capture_limit)
  constraint released_within_limit check (
    (value).released_amount >= 0
    and (value).captured_amount - (value).uncollected_amount + (value).capturing_amount + (value).released_amount
      <= (value).capture_limit)
  constraint refunded_within_captured check (
    (value).refunded_amount + (value).refunding_amount <= (value).captured_amount)
  constraint uncollected_within_refunded check (
    (value).uncollected_amount >= 0
    and (value).uncollected_amount <= (value).refunded_amount + (value).refunding_amount)
  constraint voided_or_captured check (
    (value).status not in ('authorization_voided', 'authorization_void_pending')
    or (value).captured_amount + (value).capturing_amount = 0)
  constraint settled_in_a_currency check (
    coalesce((value).settled_currency ~ '^[A-Z]{3}$', (value).settled_amount = 0));
alter table transactions
  drop constraint transactions_intent_check,
  drop constraint transactions_amount_check,
  drop constraint transactions_currency_check,
  drop constraint transactions_payment_source_check,
  drop constraint transactions_status_check,
  drop constraint transactions_authorized_amount_check,
  drop constraint transactions_capture_limit_check,
  drop constraint transactions_captured_amount_check,
  drop constraint transactions_capturing_amount_check,
  drop constraint transactions_refunded_amount_check,
  drop constraint transactions_refunding_amount_check,
  drop constraint transactions_gift_card_amount_check,
  drop constraint gift_cards_within_amount,
  drop constraint captured_within_limit,
  drop constraint released_within_limit,
  drop constraint refunded_within_captured,
  drop constraint uncollected_within_refunded,
  drop constraint voided_or_captured,
  drop constraint settled_in_a_currency,
  add constraint transactions_rules check (transactions::transactions_rules is distinct from null) not valid;
