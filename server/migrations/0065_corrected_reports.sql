-- Who holds the lease of a feed. A process that has lost its lease can neither keep nor end that of its successor.
alter table payment_service_report_feeds add column lease uuid;

-- A later line may tell of a movement with other figures than an earlier one that a payment fits. It is kept for the operator.
-- So are lines about a sale that came after its payment had ended, and about its refund.
alter table payment_service_report_lines
  drop constraint payment_service_report_lines_unmatched_because_check,
  add constraint payment_service_report_lines_unmatched_because_check check (unmatched_because in (
    'unknown_reference', 'not_decided', 'not_succeeded', 'other_currency', 'duplicate', 'differs', 'late_sale'));
drop index payment_service_report_lines_once;
create unique index payment_service_report_lines_once on payment_service_report_lines
  (payment_service_id, kind, external_identifier)
  where external_identifier is not null and (unmatched_because is null or unmatched_because not in ('duplicate', 'differs'));
