-- The books of the simulated gift card provider. Like those of the processor, they hold no number and no PIN.

-- What is left on a card. Its first balance is the one that its PIN says.
create table simulator.gift_cards (
  -- A keyed hash of the merchant's API key, the number and the PIN.
  card_hash bytea primary key,
  balance bigint not null check (balance >= 0),
  created_at timestamptz(3) not null
);

-- One row for each attempt, written before it is answered. The key makes sure that an attempt is done once.
create table simulator.gift_card_entries (
  attempt_id text collate "C" primary key check (length(attempt_id) between 1 and 100),
  -- `closed`: somebody asked about the attempt before it arrived, and was told that it never will.
  status text not null check (status in ('approved', 'refused', 'closed')),
  operation text check (operation in ('redeem', 'refund', 'reverse', 'activate')),
  -- A keyed hash of the merchant's API key.
  merchant_hash bytea,
  card_hash bytea,
  transaction_id text,
  reference uuid unique,
  -- What a refund or a reversal is about.
  redemption_reference uuid references simulator.gift_card_entries (reference),
  amount bigint check (amount >= 0),
  currency text,
  -- What the balance of the card changed by. A reversal of what never took place changes nothing.
  moved bigint not null default 0 check (moved >= 0),
  -- Of a redemption: what was refunded or reversed.
  given_back bigint not null default 0 check (given_back >= 0 and given_back <= moved),
  code text,
  raw_code text,
  raw_message text,
  created_at timestamptz(3) not null,
  check (
    (status = 'closed') = (operation is null)
    and (operation is null) = (reference is null)
    and (operation is null) = (merchant_hash is null)
  ),
  check ((status = 'refused') = (code is not null)),
  check (moved = 0 or (status = 'approved' and moved = amount and card_hash is not null))
);
create index gift_card_entries_by_transaction on simulator.gift_card_entries (transaction_id);
