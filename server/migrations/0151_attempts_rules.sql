-- The rules of attempts, as those of payments (0150).
create domain attempts_rules as attempts
  constraint transaction_attempts_amount_check check ((value).amount >= 0)
  constraint transaction_attempts_state_check check (
    (value).state in ('queued', 'sent', 'unknown', 'pending', 'approved', 'declined', 'failed'))
  constraint transaction_attempts_check check (
    ((value).state in ('approved', 'declined', 'failed')) = ((value).due_at is null))
  constraint attempts_instrument check ((value).instrument_id is null or (value).instrument_type is not null)
  constraint attempts_returned check (
    (value).returned is null or ((value).may_complete and (value).due_at is not null))
  constraint attempts_approval check ((value).approval is null or (value).due_at is not null)
  constraint attempts_order_state check ((value).order_state in ('awaited', 'kept', 'abandoned'))
  constraint attempts_traceparent_check check (length((value).traceparent) = 55);
alter table attempts
  drop constraint transaction_attempts_amount_check,
  drop constraint transaction_attempts_state_check,
  drop constraint transaction_attempts_check,
  drop constraint attempts_instrument,
  drop constraint attempts_returned,
  drop constraint attempts_approval,
  drop constraint attempts_order_state,
  drop constraint attempts_traceparent_check,
  add constraint attempts_rules check (attempts::attempts_rules is distinct from null) not valid;
