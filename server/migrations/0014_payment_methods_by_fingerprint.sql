-- Without a transaction
drop index concurrently if exists payment_methods_by_fingerprint;
create index concurrently payment_methods_by_fingerprint on payment_methods (merchant_account_id, fingerprint) where deleted_at is null;
