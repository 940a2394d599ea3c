-- The processor stores payment methods for merchants: `tokenize` gives a token, `forgetToken` ends it. The token itself is
-- not written here: it is the entry's reference and a keyed hash of it.
alter table simulator.entries
  drop constraint entries_operation_check,
  add constraint entries_operation_check check (operation in (
    'authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout', 'tokenize', 'forgetToken')) not valid,
  -- The buyer has to approve on the processor's page, and returns here.
  add column return_url text;
