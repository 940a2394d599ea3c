-- Without a transaction: payments go on while the index is built.
-- Entries about everything but payments, which would bury them. Payments add none to it.
drop index concurrently if exists audit_logs_of_configuration;
create index concurrently audit_logs_of_configuration on audit_logs (merchant_account_id, created_at, id)
  where action <> 'revealed' and resource_type not in
    ('transaction', 'refund', 'payout', 'payment-link', 'checkout-session', 'checkout-page', 'chargeback-answer', 'payment-service-token', 'network-token', 'gift-card-issuance', 'gift-card-activation', 'buyer-erasure', 'buyer', 'buyer-shipping-details', 'payment-method', 'gift-card');
