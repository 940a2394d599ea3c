-- The merchant answers a chargeback, and the buyer's bank decides. An answer is an entry, so that it is done once and can be asked about.
-- It holds no evidence: what was sent is read, judged and forgotten. An end is what moves no money: the chargeback stays.
alter domain simulator.entries_rules drop constraint entries_operation_check;
alter domain simulator.entries_rules add constraint entries_operation_check check (
  (value).operation in (
    'authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout', 'tokenize', 'forgetToken',
    'chargeback', 'chargebackReversal', 'lateFailure', 'disputeAnswer', 'disputeEnd'));
alter domain simulator.entries_rules drop constraint entries_subject_check;
alter domain simulator.entries_rules add constraint entries_subject_check check (
  ((value).operation in ('chargeback', 'chargebackReversal', 'lateFailure', 'disputeAnswer', 'disputeEnd'))
    = ((value).subject_reference is not null));
