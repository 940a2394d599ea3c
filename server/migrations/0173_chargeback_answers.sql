-- Without a transaction: payments go on while the index is built.
-- Of chargebacks. Until when the provider takes an answer, if it says so.
alter table payment_service_report_lines add column if not exists respond_by timestamptz(3);
-- That a person has answered at the provider, and what they wrote for their colleagues. The note goes when the buyer is erased.
alter table payment_service_report_lines add column if not exists answered_at timestamptz(3);
alter table payment_service_report_lines add column if not exists answered_by uuid;
alter table payment_service_report_lines add column if not exists answered_by_name text;
alter table payment_service_report_lines add column if not exists answer_note text;

-- No row has these columns yet, so checking them locks out no one for long.
alter table payment_service_report_lines drop constraint if exists payment_service_report_lines_answer;
alter table payment_service_report_lines add constraint payment_service_report_lines_answer check (
  case when answered_at is null then answered_by is null and answered_by_name is null and answer_note is null
  else kind = 'chargeback' and answered_by_name is not null and (answer_note is null or length(answer_note) between 1 and 1000) end
) not valid;
alter table payment_service_report_lines validate constraint payment_service_report_lines_answer;
alter table payment_service_report_lines drop constraint if exists payment_service_report_lines_deadline;
alter table payment_service_report_lines add constraint payment_service_report_lines_deadline check (
  respond_by is null or kind = 'chargeback') not valid;
alter table payment_service_report_lines validate constraint payment_service_report_lines_deadline;

-- The list of chargebacks, newest first.
drop index concurrently if exists payment_service_report_lines_disputes;
create index concurrently payment_service_report_lines_disputes on payment_service_report_lines
  (merchant_account_id, id desc) where kind = 'chargeback' and transaction_id is not null;
