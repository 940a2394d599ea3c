-- Lines that are about no payment, such as fees and payouts. They are kept and added up, and no payment is looked for.
alter table payment_service_report_lines
  alter column provider_reference drop not null,
  drop constraint payment_service_report_lines_kind_check,
  add constraint payment_service_report_lines_kind_check check (
    kind in ('settlement', 'refund_settlement', 'chargeback', 'chargeback_reversal', 'other')),
  add check (provider_reference is not null or kind = 'other'),
  drop constraint payment_service_report_lines_check,
  add constraint payment_service_report_lines_matched_or_not check (
    case kind when 'other' then transaction_id is null
    else (transaction_id is null) = (unmatched_because is not null) end),
  -- What is taken from the merchant is below zero.
  add constraint payment_service_report_lines_signs check (
    case kind when 'chargeback' then amount <= 0 when 'chargeback_reversal' then amount >= 0 else true end),
  -- Only chargebacks and reversals come by notifications.
  add constraint payment_service_report_lines_told check (
    file_id is not null or kind in ('chargeback', 'chargeback_reversal')),
  -- A chargeback without an id of its own: the notification that told of it, by what it said.
  add column notice text,
  add constraint payment_service_report_lines_notice check (
    notice is null or (external_identifier is null and kind in ('chargeback', 'chargeback_reversal'))),
  drop constraint payment_service_report_lines_flag_check,
  add constraint payment_service_report_lines_flag_check check (
    flag in ('below_expected', 'above_expected', 'other_exchange'));
create unique index payment_service_report_lines_notice_once on payment_service_report_lines
  (payment_service_id, kind, notice) where notice is not null;
-- Chargebacks without an id, for the other half that tells of them: a file or a notification.
create index payment_service_report_lines_nameless on payment_service_report_lines
  (payment_service_id, kind, provider_reference)
  where external_identifier is null and kind in ('chargeback', 'chargeback_reversal');
-- The flags of a payment, to take them back once its settlements add up.
create index payment_service_report_lines_flags on payment_service_report_lines (merchant_account_id, transaction_id)
  where flag is not null;

-- A file that was applied in part, and that the provider has replaced or no longer delivers.
alter table payment_service_report_files
  drop constraint payment_service_report_files_status_check,
  add constraint payment_service_report_files_status_check check (
    status in ('applying', 'applied', 'refused', 'abandoned')),
  drop constraint payment_service_report_files_check1,
  add constraint payment_service_report_files_problem check (
    (status in ('refused', 'abandoned')) = (problem is not null)),
  add constraint payment_service_report_files_abandoned check (status <> 'abandoned' or lines_done < line_count);

-- Why an offered file could not be read the last time.
alter table payment_service_report_offers add column problem text;
