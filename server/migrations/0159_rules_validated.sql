-- Without a transaction: payments go on while the rows are read. Each statement can be run again.
alter table transactions validate constraint transactions_rules;
alter table attempts validate constraint attempts_rules;
alter table idempotency_keys validate constraint idempotency_keys_rules;
alter table webhook_deliveries validate constraint webhook_deliveries_rules;
alter table refunds validate constraint refunds_rules;
alter table payouts validate constraint payouts_rules;
alter table checkout_sessions validate constraint checkout_sessions_rules;
alter table payment_methods validate constraint payment_methods_rules;
alter table gift_card_redemptions validate constraint gift_card_redemptions_rules;
