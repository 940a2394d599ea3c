-- Without a transaction: payments go on while the index is built.
-- Chargebacks of payments, by the time at which the provider posted them: a few of many lines.
drop index concurrently if exists payment_service_report_lines_chargebacks;
create index concurrently payment_service_report_lines_chargebacks on payment_service_report_lines
  (merchant_account_id, posted_at) where kind = 'chargeback' and transaction_id is not null;

-- What the identity provider wants to see again when its user signs out there: the ID token of the sign-in, sealed.
alter table user_sessions add column if not exists sealed_id_token bytea;
