-- The books of the simulated processor, which a sandbox pays with. They are apart from ours, as those of a real processor
-- would be, so that ours can be compared with them. No card number and no code is ever written here.
create schema if not exists simulator;

-- The processor settles: a batch for each merchant, currency and day, which becomes a file. This is how far a merchant's books are closed.
create table simulator.closings (
  merchant_id text primary key,
  closed_until timestamptz(3) not null,
  -- The closing under way. It puts the entries into their batches page by page, so that it can be continued.
  closing timestamptz(3)
);

create table simulator.batches (
  id uuid primary key,
  merchant_id text not null,
  -- What buyers paid in.
  currency text not null,
  day date not null,
  -- What the merchant gets. The factor turns minor units of the one currency into those of the other.
  settlement_currency text not null,
  exchange_rate numeric, exchange_factor numeric,
  -- The mistake in the file that the merchant asked for.
  fault text,
  closed_at timestamptz(3),
  -- Null while the file is withheld.
  published_at timestamptz(3),
  check ((exchange_rate is null) = (currency = settlement_currency)),
  check ((exchange_rate is null) = (exchange_factor is null)),
  check (published_at is null or closed_at is not null),
  unique (merchant_id, currency, day)
);
create index batches_by_publication on simulator.batches (merchant_id, published_at);

-- One row for each attempt. It is written before the attempt is answered, and the key makes sure that an attempt that
-- arrives twice is done once.
create table simulator.entries (
  attempt_id text collate "C" primary key,
  -- `closed`: somebody asked about the attempt before it arrived, and was told that it never will.
  status text not null,
  operation text, merchant_id text, transaction_id text,
  -- The processor's own id of what it did.
  reference uuid unique,
  -- What a capture, a void, … is about. Null for what stands alone.
  authorization_reference uuid references simulator.entries (reference),
  requested_amount integer,
  -- What was approved: less than requested, if the merchant agreed to that.
  amount integer,
  currency text,
  -- Of an authorization: the money is taken at once. Of a capture: no other one follows.
  is_final boolean not null default false,
  code text, description text, facts jsonb, last4 text, created_at timestamptz(3) not null, ended_at timestamptz(3),
  -- The buyer has to approve on the processor's page, and returns here.
  return_url text,
  -- The capture or refund that is disputed, or failed. Of a reversal: the chargeback.
  subject_reference uuid,
  -- Wallets are another business of the processor, with other files.
  product text not null default 'card',
  batch_id uuid,
  constraint entries_subject_fkey foreign key (subject_reference) references simulator.entries (reference),
  constraint entries_batch_fkey foreign key (batch_id) references simulator.batches (id)
);
-- The rules are those of a domain over the row: PostgreSQL reads the checks of a table anew for every statement that writes to it, but
-- those of a domain once for each connection.
create domain simulator.entries_rules as simulator.entries
  constraint entries_attempt_id_check check (length((value).attempt_id) between 1 and 100)
  constraint entries_status_check check ((value).status in ('approved', 'refused', 'pending', 'closed'))
  constraint entries_operation_check check (
    (value).operation in (
      'authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout', 'tokenize', 'forgetToken',
      'chargeback', 'chargebackReversal', 'lateFailure'))
  constraint entries_requested_amount_check check ((value).requested_amount >= 0)
  constraint entries_check check ((value).amount >= 0 and (value).amount <= (value).requested_amount)
  constraint entries_last4_check check ((value).last4 ~ '^[0-9]{4}$')
  constraint entries_check1 check (
    ((value).status = 'closed') = ((value).operation is null)
    and ((value).operation is null) = ((value).reference is null)
    and ((value).operation is null) = ((value).merchant_id is null)
    and ((value).operation is null) = ((value).amount is null)
    and ((value).operation is null) = ((value).currency is null))
  constraint entries_check2 check (((value).status = 'pending') = ((value).ended_at is null))
  constraint entries_subject_check check (
    ((value).operation in ('chargeback', 'chargebackReversal', 'lateFailure'))
      = ((value).subject_reference is not null));
alter table simulator.entries add constraint entries_rules check (entries::simulator.entries_rules is distinct from null);
create index entries_by_transaction on simulator.entries (transaction_id);
create index entries_by_authorization on simulator.entries (authorization_reference) where authorization_reference is not null;
-- What a merchant has earned, given back and paid out, for payouts that are limited to it. Plain authorizations are not in it.
create index entries_by_merchant on simulator.entries (merchant_id, currency)
  include (operation, status, amount, is_final)
  where operation in ('capture', 'refund', 'payout') or is_final;
-- What waits for a batch.
create index entries_to_settle on simulator.entries (merchant_id, ended_at)
  where batch_id is null and status = 'approved' and amount > 0 and product = 'card'
    and (operation in ('capture', 'refund', 'chargeback', 'chargebackReversal', 'lateFailure') or is_final);
-- The lines of a file.
create index entries_by_batch on simulator.entries (batch_id, reference) where batch_id is not null;
-- What happened to a capture or a refund.
create index entries_by_subject on simulator.entries (subject_reference) where subject_reference is not null;
-- What chargebacks and late failures take from a merchant's earnings.
create index entries_later on simulator.entries (merchant_id, currency)
  include (operation, code, amount, ended_at)
  where operation in ('chargeback', 'chargebackReversal', 'lateFailure');

-- Faults that have hit an attempt without leaving an entry: each hits once.
create table simulator.faults (
  attempt_id text collate "C" primary key,
  kind text not null, hit_at timestamptz(3) not null
);

-- What the processor was told to do with a merchant's next calls: refuse one, or lose its answer. All processes see it.
create table simulator.levers (
  id uuid primary key,
  merchant_id text not null,
  operation text not null check (operation in ('authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout', 'tokenize')),
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

-- What the processor has to tell by a notification, until the merchant's system has taken it.
create table simulator.notices (
  reference uuid primary key references simulator.entries (reference),
  merchant_id text not null, due_at timestamptz(3) not null, next_at timestamptz(3) not null, tries integer not null default 0,
  done_at timestamptz(3)
);
create index notices_to_send on simulator.notices (merchant_id, next_at) where done_at is null;

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
  attempt_id text collate "C" primary key,
  -- `closed`: somebody asked about the attempt before it arrived, and was told that it never will.
  status text not null,
  operation text,
  -- A keyed hash of the merchant's API key.
  merchant_hash bytea,
  card_hash bytea, transaction_id text,
  reference uuid unique,
  -- What a refund or a reversal is about.
  redemption_reference uuid references simulator.gift_card_entries (reference),
  amount bigint, currency text,
  -- What the balance of the card changed by. A reversal of what never took place changes nothing.
  moved bigint not null default 0,
  -- Of a redemption: what was refunded or reversed.
  given_back bigint not null default 0,
  code text, raw_code text, raw_message text, created_at timestamptz(3) not null
);
create domain simulator.gift_card_entries_rules as simulator.gift_card_entries
  constraint gift_card_entries_attempt_id_check check (length((value).attempt_id) between 1 and 100)
  constraint gift_card_entries_status_check check ((value).status in ('approved', 'refused', 'closed'))
  constraint gift_card_entries_operation_check check ((value).operation in ('redeem', 'refund', 'reverse', 'activate'))
  constraint gift_card_entries_amount_check check ((value).amount >= 0)
  constraint gift_card_entries_moved_check check ((value).moved >= 0)
  constraint gift_card_entries_check check ((value).given_back >= 0 and (value).given_back <= (value).moved)
  constraint gift_card_entries_check1 check (
    ((value).status = 'closed') = ((value).operation is null)
    and ((value).operation is null) = ((value).reference is null)
    and ((value).operation is null) = ((value).merchant_hash is null))
  constraint gift_card_entries_check2 check (((value).status = 'refused') = ((value).code is not null))
  constraint gift_card_entries_check3 check (
    (value).moved = 0
    or ((value).status = 'approved' and (value).moved = (value).amount and (value).card_hash is not null));
alter table simulator.gift_card_entries add constraint gift_card_entries_rules check (gift_card_entries::simulator.gift_card_entries_rules is distinct from null);
create index gift_card_entries_by_transaction on simulator.gift_card_entries (transaction_id);

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
  makes_cryptograms boolean not null, created_at timestamptz(3) not null
);

-- One row for each attempt, written before it is answered. The key makes sure that an attempt is done once.
create table simulator.network_token_entries (
  attempt_id text collate "C" primary key check (length(attempt_id) between 1 and 100),
  -- `closed`: the merchant's system asked about the attempt before it arrived, and was told that it never will.
  status text not null check (status in ('approved', 'refused', 'closed')),
  operation text check (operation in ('provision', 'suspend', 'resume', 'delete')),
  requestor_id text,
  reference uuid references simulator.network_tokens (reference),
  code text, created_at timestamptz(3) not null,
  check ((status = 'closed') = (operation is null) and (operation is null) = (requestor_id is null)),
  check ((status = 'refused') = (code is not null)),
  check (status <> 'approved' or reference is not null)
);
create index network_token_entries_by_token on simulator.network_token_entries (reference);
