-- A line of a provider's file that cannot be read is kept with its amount, and told as one that no payment fits.
alter table payment_service_report_lines
  drop constraint payment_service_report_lines_unmatched_because_check,
  add constraint payment_service_report_lines_unmatched_because_check check (unmatched_because in (
    'unknown_reference', 'not_decided', 'not_succeeded', 'other_currency', 'duplicate', 'differs', 'late_sale', 'unreadable'));
