-- Without a transaction: payments go on meanwhile. Each statement can be run again.
-- What a merchant has earned, given back and paid out, for payouts that are limited to it. Plain authorizations are not in it.
drop index concurrently if exists simulator.entries_by_merchant;
create index concurrently entries_by_merchant on simulator.entries (merchant_id, currency)
  include (operation, status, amount, is_final)
  where operation in ('capture', 'refund', 'payout') or is_final;
