-- Without a transaction: files are read on meanwhile.
-- Chargebacks and reversals of files, by the time at which we read them. A notification may have told of them days before, and their
-- ids are of that time.
drop index concurrently if exists payment_service_report_lines_disputes_read;
create index concurrently payment_service_report_lines_disputes_read on payment_service_report_lines
  (merchant_account_id, ingested_at, id) where kind in ('chargeback', 'chargeback_reversal') and file_id is not null;
