-- The rules of operations become rules of a domain over the row: PostgreSQL reads the checks of a table anew for every statement
-- that writes to it, but those of a domain once for each connection. Not valid: the rows that are there have passed them.
create domain issuer.operations_rules as issuer.operations
  constraint operations_attempt_id_check check (length((value).attempt_id) between 1 and 100)
  constraint operations_status_check check ((value).status in ('approved', 'refused', 'closed'))
  constraint operations_operation_check check (
    (value).operation in (
      'issue', 'activate', 'load', 'hold', 'release', 'redeem', 'refund', 'reverse', 'expire'))
  constraint operations_amount_check check ((value).amount >= 0)
  constraint operations_given_back_check check ((value).given_back >= 0)
  constraint operations_check check (
    ((value).status = 'closed') = ((value).operation is null) and ((value).status = 'closed') = ((value).id is null))
  constraint operations_check1 check (((value).status = 'refused') = ((value).code is not null))
  constraint operations_check2 check (
    (value).given_back = 0
    or ((value).operation = 'redeem' and (value).status = 'approved' and (value).given_back <= (value).amount));
alter table issuer.operations
  drop constraint operations_attempt_id_check,
  drop constraint operations_status_check,
  drop constraint operations_operation_check,
  drop constraint operations_amount_check,
  drop constraint operations_given_back_check,
  drop constraint operations_check,
  drop constraint operations_check1,
  drop constraint operations_check2,
  add constraint operations_rules check (operations::issuer.operations_rules is distinct from null) not valid;
