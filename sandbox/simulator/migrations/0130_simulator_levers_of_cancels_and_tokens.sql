-- Cancels and tokens can be hit, too.
alter table simulator.levers drop constraint levers_operation_check;
alter table simulator.levers add constraint levers_operation_check
  check (operation in ('authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout', 'tokenize'));
