-- The books of the simulated processor, which a sandbox pays with. They are apart from ours, as those of a real processor
-- would be, so that ours can be compared with them. No card number and no code is ever written here.
create schema if not exists simulator;

-- One row for each attempt. It is written before the attempt is answered, and the key makes sure that an attempt that
-- arrives twice is done once.
create table simulator.entries (
  attempt_id text collate "C" primary key check (length(attempt_id) between 1 and 100),
  -- `closed`: somebody asked about the attempt before it arrived, and was told that it never will.
  status text not null check (status in ('approved', 'refused', 'pending', 'closed')),
  operation text check (operation in ('authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout')),
  merchant_id text,
  transaction_id text,
  -- The processor's own id of what it did.
  reference uuid unique,
  -- What a capture, a void, … is about. Null for what stands alone.
  authorization_reference uuid references simulator.entries (reference),
  requested_amount integer check (requested_amount >= 0),
  -- What was approved: less than requested, if the merchant agreed to that.
  amount integer check (amount >= 0 and amount <= requested_amount),
  currency text,
  -- Of an authorization: the money is taken at once. Of a capture: no other one follows.
  is_final boolean not null default false,
  code text,
  description text,
  facts jsonb,
  last4 text check (last4 ~ '^[0-9]{4}$'),
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  check (
    (status = 'closed') = (operation is null)
    and (operation is null) = (reference is null)
    and (operation is null) = (merchant_id is null)
    and (operation is null) = (amount is null)
    and (operation is null) = (currency is null)
  ),
  check ((status = 'pending') = (ended_at is null))
);
create index entries_by_transaction on simulator.entries (transaction_id);
create index entries_by_authorization on simulator.entries (authorization_reference)
  where authorization_reference is not null;

-- Faults that have hit an attempt without leaving an entry: each hits once.
create table simulator.faults (
  attempt_id text collate "C" primary key,
  kind text not null,
  hit_at timestamptz(3) not null
);
