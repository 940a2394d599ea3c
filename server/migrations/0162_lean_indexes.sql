-- Without a transaction: payments go on while the indexes are built. Each statement can be run again.
-- Most payments are none of these, and what is false is found along the list: only the true ones have an entry.
drop index concurrently if exists transactions_with_gift_cards;
create index concurrently transactions_with_gift_cards
  on transactions (merchant_account_id, has_gift_card_redemptions, id) where has_gift_card_redemptions;
drop index concurrently if exists transactions_by_has_gift_card_redemptions;

drop index concurrently if exists transactions_merchant_initiated;
create index concurrently transactions_merchant_initiated
  on transactions (merchant_account_id, merchant_initiated, id) where merchant_initiated;
drop index concurrently if exists transactions_by_merchant_initiated;

drop index concurrently if exists transactions_subsequent;
create index concurrently transactions_subsequent
  on transactions (merchant_account_id, is_subsequent_payment, id) where is_subsequent_payment;
drop index concurrently if exists transactions_by_is_subsequent_payment;

-- The newest entry has to be the last of an index. In front of all others, as in an index `desc`, it splits every page in the
-- middle: twice the size, and half a page in the log each time. Lists walk these backwards.
drop index concurrently if exists audit_logs_of_account;
create index concurrently audit_logs_of_account
  on audit_logs (merchant_account_id, created_at, id) where action <> 'revealed';
drop index concurrently if exists audit_logs_by_account;

drop index concurrently if exists audit_logs_of_action;
create index concurrently audit_logs_of_action
  on audit_logs (merchant_account_id, action, created_at, id) where action <> 'revealed';
drop index concurrently if exists audit_logs_by_action;

drop index concurrently if exists audit_logs_of_actor;
create index concurrently audit_logs_of_actor
  on audit_logs (merchant_account_id, actor_id, created_at, id) where action <> 'revealed';
drop index concurrently if exists audit_logs_by_actor;

drop index concurrently if exists audit_logs_of_resource_type;
create index concurrently audit_logs_of_resource_type
  on audit_logs (merchant_account_id, resource_type, created_at, id) where action <> 'revealed';
drop index concurrently if exists audit_logs_by_resource_type;

drop index concurrently if exists audit_logs_of_all_accounts;
create index concurrently audit_logs_of_all_accounts on audit_logs (created_at, id)
  where action <> 'revealed' and created_at > '-infinity';
drop index concurrently if exists audit_logs_over_all_accounts;

drop index concurrently if exists events_of_account;
create index concurrently events_of_account on events (merchant_account_id, created_at, id);
drop index concurrently if exists events_by_account;

drop index concurrently if exists events_of_name;
create index concurrently events_of_name on events (merchant_account_id, name, created_at, id);
drop index concurrently if exists events_by_name;

drop index concurrently if exists events_of_all_accounts;
create index concurrently events_of_all_accounts on events (created_at, id) where created_at > '-infinity';
drop index concurrently if exists events_by_age;
