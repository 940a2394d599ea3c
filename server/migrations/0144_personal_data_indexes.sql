-- Without a transaction: payments go on while the indexes are built.
-- Entries that name a buyer. Payments add none to it.
drop index concurrently if exists audit_logs_naming_buyers;
create index concurrently audit_logs_naming_buyers on audit_logs (resource_id)
  where resource_type in ('buyer', 'shipping-details', 'payment-method', 'gift-card');

drop index concurrently if exists payouts_by_buyer;
create index concurrently payouts_by_buyer on payouts (merchant_account_id, (document -> 'buyer' ->> 'id'))
  where document -> 'buyer' ->> 'id' is not null;
