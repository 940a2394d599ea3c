-- Without a transaction: payments go on while the constraint is checked.
-- What is left of a hold after a capture and was given up. It counts from the moment that the provider is asked, so that
-- no capture can take it meanwhile; a refusal sets it back to zero.
alter table transactions add column if not exists released_amount integer not null default 0;

alter table transactions drop constraint if exists released_within_limit;
alter table transactions add constraint released_within_limit check (
  released_amount >= 0 and captured_amount + capturing_amount + released_amount <= capture_limit) not valid;
alter table transactions validate constraint released_within_limit;
