-- The rules of refunds, as those of payments (0150).
create domain refunds_rules as refunds
  constraint refunds_status_check check (
    (value).status in ('processing', 'succeeded', 'declined', 'failed', 'voided'))
  constraint refunds_amount_check check ((value).amount between 1 and 99999999)
  constraint refunds_target_type_check check ((value).target_type in ('payment-method', 'gift-card-redemption'))
  constraint refunds_creator_email_address_check check (length((value).creator_email_address) <= 254)
  constraint refund_settled_in_a_currency check (
    coalesce((value).settled_currency ~ '^[A-Z]{3}$', (value).settled_amount = 0));
alter table refunds
  drop constraint refunds_status_check,
  drop constraint refunds_amount_check,
  drop constraint refunds_target_type_check,
  drop constraint refunds_creator_email_address_check,
  drop constraint refund_settled_in_a_currency,
  add constraint refunds_rules check (refunds::refunds_rules is distinct from null) not valid;
