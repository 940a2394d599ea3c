-- The rules of entries become rules of a domain over the row: PostgreSQL reads the checks of a table anew for every statement
-- that writes to it, but those of a domain once for each connection. Not valid: the rows that are there have passed them.
create domain simulator.entries_rules as simulator.entries
  constraint entries_attempt_id_check check (length((value).attempt_id) between 1 and 100)
  constraint entries_status_check check ((value).status in ('approved', 'refused', 'pending', 'closed'))
  constraint entries_operation_check check (
    (value).operation in (
      'authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout', 'tokenize', 'forgetToken',
      'chargeback', 'chargebackReversal', 'lateFailure'))
  constraint entries_requested_amount_check check ((value).requested_amount >= 0)
  constraint entries_check check ((value).amount >= 0 and (value).amount <= (value).requested_amount)
  constraint entries_last4_check check ((value).last4 ~ '^[0-9]{4}$')
  constraint entries_check1 check (
    ((value).status = 'closed') = ((value).operation is null)
    and ((value).operation is null) = ((value).reference is null)
    and ((value).operation is null) = ((value).merchant_id is null)
    and ((value).operation is null) = ((value).amount is null)
    and ((value).operation is null) = ((value).currency is null))
  constraint entries_check2 check (((value).status = 'pending') = ((value).ended_at is null))
  constraint entries_subject_check check (
    ((value).operation in ('chargeback', 'chargebackReversal', 'lateFailure'))
      = ((value).subject_reference is not null));
alter table simulator.entries
  drop constraint entries_attempt_id_check,
  drop constraint entries_status_check,
  drop constraint entries_operation_check,
  drop constraint entries_requested_amount_check,
  drop constraint entries_check,
  drop constraint entries_last4_check,
  drop constraint entries_check1,
  drop constraint entries_check2,
  drop constraint entries_subject_check,
  add constraint entries_rules check (entries::simulator.entries_rules is distinct from null) not valid;
