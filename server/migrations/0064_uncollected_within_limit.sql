-- Without a transaction: payments go on while the constraints are checked. Each is replaced in one statement, so that none is ever missing.
-- What failed later can be captured again. Only what captures have brought counts against the limit.
alter table transactions drop constraint if exists captured_within_limit,
  add constraint captured_within_limit check (
    captured_amount - uncollected_amount + capturing_amount <= capture_limit) not valid;
alter table transactions validate constraint captured_within_limit;

alter table transactions drop constraint if exists released_within_limit,
  add constraint released_within_limit check (
    released_amount >= 0
    and captured_amount - uncollected_amount + capturing_amount + released_amount <= capture_limit) not valid;
alter table transactions validate constraint released_within_limit;
