-- What the processor was told to do with a merchant's next calls: refuse one, or lose its answer. All processes see it.
create table simulator.levers (
  id uuid primary key,
  merchant_id text not null,
  operation text not null check (operation in ('authorize', 'capture', 'void', 'refund', 'increment', 'payout')),
  effect text not null check (effect in ('refuse', 'lose-answer', 'stall', 'late', 'garbage', 'unreachable')),
  -- The reason of a refusal.
  code text,
  armed_at timestamptz(3) not null,
  -- The call that it hit. The same call sees it again, however often it arrives.
  attempt_id text collate "C" unique,
  taken_at timestamptz(3),
  check ((effect = 'refuse') = (code is not null)),
  check ((attempt_id is null) = (taken_at is null))
);
create index levers_armed on simulator.levers (merchant_id, operation, armed_at, id) where attempt_id is null;
