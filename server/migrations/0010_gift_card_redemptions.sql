-- What gift cards pay of a transaction. Numbers and PINs are not here; where one is needed again, it waits in the vault.
create table gift_card_redemptions (
  merchant_account_id text not null,
  transaction_id uuid not null,
  id uuid not null,
  -- The order in which they are redeemed.
  position integer not null,
  gift_card_service_id uuid not null,
  gift_card_id uuid,
  bin text not null,
  sub_bin text not null,
  last4 text not null,
  amount integer not null check (amount between 1 and 99999999),
  status text not null check (status in ('created', 'succeeded', 'failed', 'skipped')),
  -- It succeeded, and was undone since: the payment came to nothing.
  is_reversed boolean not null default false,
  refunded_amount integer not null default 0 check (refunded_amount >= 0),
  -- Refunds on their way count from the moment they are sent.
  refunding_amount integer not null default 0 check (refunding_amount >= 0),
  gift_card_service_redemption_id text,
  redeem_attempt_id uuid,
  error_code text,
  raw_error_code text,
  raw_error_message text,
  number_token uuid,
  pin_token uuid,
  updated_at timestamptz(3) not null,
  primary key (merchant_account_id, transaction_id, id),
  unique (merchant_account_id, transaction_id, position),
  foreign key (merchant_account_id, transaction_id) references transactions (merchant_account_id, id),
  constraint refunded_within_redeemed check (refunded_amount + refunding_amount <= amount),
  constraint refunded_only_if_redeemed check (status = 'succeeded' or refunded_amount + refunding_amount = 0),
  constraint reversed_or_refunded check (not is_reversed or refunded_amount + refunding_amount = 0)
);

-- For lists, which read those of a page at once.
create index gift_card_redemptions_by_transaction on gift_card_redemptions (transaction_id);

alter table transactions
  -- What gift cards pay of the amount.
  add column gift_card_amount integer not null default 0 check (gift_card_amount between 0 and 99999999),
  add column has_gift_card_refunds boolean not null default false,
  add constraint gift_cards_within_amount check (gift_card_amount <= amount);

-- `payment_service_id` of these names the gift card service.
alter table transaction_attempts
  drop constraint transaction_attempts_operation_check,
  add constraint transaction_attempts_operation_check check (operation in (
    'authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'redeem', 'reverse'));
