-- Without a transaction: payments go on meanwhile. Each statement can be run again.
-- What waits for a batch.
drop index concurrently if exists simulator.entries_to_settle;
create index concurrently entries_to_settle on simulator.entries (merchant_id, ended_at)
  where batch_id is null and status = 'approved' and amount > 0 and product = 'card'
    and (operation in ('capture', 'refund', 'chargeback', 'chargebackReversal', 'lateFailure') or is_final);
-- The lines of a file.
drop index concurrently if exists simulator.entries_by_batch;
create index concurrently entries_by_batch on simulator.entries (batch_id, reference) where batch_id is not null;
-- What happened to a capture or a refund.
drop index concurrently if exists simulator.entries_by_subject;
create index concurrently entries_by_subject on simulator.entries (subject_reference)
  where subject_reference is not null;

-- What chargebacks and late failures take from a merchant's earnings.
drop index concurrently if exists simulator.entries_later;
create index concurrently entries_later on simulator.entries (merchant_id, currency)
  include (operation, code, amount, ended_at)
  where operation in ('chargeback', 'chargebackReversal', 'lateFailure');
