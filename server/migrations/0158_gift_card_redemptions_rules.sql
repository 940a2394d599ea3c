-- The rules of redemptions, as those of payments (0150).
create domain gift_card_redemptions_rules as gift_card_redemptions
  constraint gift_card_redemptions_amount_check check ((value).amount between 1 and 99999999)
  constraint gift_card_redemptions_status_check check (
    (value).status in ('created', 'succeeded', 'failed', 'skipped'))
  constraint gift_card_redemptions_refunded_amount_check check ((value).refunded_amount >= 0)
  constraint gift_card_redemptions_refunding_amount_check check ((value).refunding_amount >= 0)
  constraint refunded_within_redeemed check ((value).refunded_amount + (value).refunding_amount <= (value).amount)
  constraint refunded_only_if_redeemed check (
    (value).status = 'succeeded' or (value).refunded_amount + (value).refunding_amount = 0)
  constraint reversed_or_refunded check (
    not (value).is_reversed or (value).refunded_amount + (value).refunding_amount = 0);
alter table gift_card_redemptions
  drop constraint gift_card_redemptions_amount_check,
  drop constraint gift_card_redemptions_status_check,
  drop constraint gift_card_redemptions_refunded_amount_check,
  drop constraint gift_card_redemptions_refunding_amount_check,
  drop constraint refunded_within_redeemed,
  drop constraint refunded_only_if_redeemed,
  drop constraint reversed_or_refunded,
  add constraint gift_card_redemptions_rules check (gift_card_redemptions::gift_card_redemptions_rules is distinct from null) not valid;
