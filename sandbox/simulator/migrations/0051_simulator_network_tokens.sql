-- The books of the simulated token service. They hold no card number, no token number and no cryptogram: the number of a
-- token follows from its reference and a key.

create table simulator.network_tokens (
  reference uuid primary key,
  -- The name that the merchant's system gave the token.
  client_reference text not null unique check (length(client_reference) between 1 and 100),
  requestor_id text not null,
  scheme text not null check (scheme in ('visa', 'mastercard', 'amex', 'discover')),
  -- A keyed hash of the card's number.
  card_hash bytea not null,
  status text not null check (status in ('inactive', 'active', 'suspended', 'deleted')),
  expiration_date text not null,
  -- What the network does to later operations, as the card's number says.
  fault text,
  makes_cryptograms boolean not null,
  created_at timestamptz(3) not null
);

-- One row for each attempt, written before it is answered. The key makes sure that an attempt is done once.
create table simulator.network_token_entries (
  attempt_id text collate "C" primary key check (length(attempt_id) between 1 and 100),
  -- `closed`: the merchant's system asked about the attempt before it arrived, and was told that it never will.
  status text not null check (status in ('approved', 'refused', 'closed')),
  operation text check (operation in ('provision', 'suspend', 'resume', 'delete')),
  requestor_id text,
  reference uuid references simulator.network_tokens (reference),
  code text,
  created_at timestamptz(3) not null,
  check ((status = 'closed') = (operation is null) and (operation is null) = (requestor_id is null)),
  check ((status = 'refused') = (code is not null)),
  check (status <> 'approved' or reference is not null)
);
create index network_token_entries_by_token on simulator.network_token_entries (reference);
