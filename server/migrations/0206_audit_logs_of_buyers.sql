-- Without a transaction: payments go on while the index is built.
-- Entries that name a buyer, with those about shipping details. Payments add none to it.
drop index concurrently if exists audit_logs_of_buyers;
create index concurrently audit_logs_of_buyers on audit_logs (resource_id)
  where resource_type in ('buyer', 'buyer-shipping-details', 'payment-method', 'gift-card');
drop index concurrently if exists audit_logs_naming_buyers;
