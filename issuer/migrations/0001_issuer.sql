-- The gift cards that merchants sell themselves, and the ledger of what is on them. Nothing outside this schema is needed
-- to add it up. No number and no PIN is ever written here in the clear.
create schema if not exists issuer;

-- Cards belong to a program: a name that a merchant gave it, together with a key that only the merchant knows.
create table issuer.programs (
  id uuid primary key,
  -- A keyed hash of name and key. With another key it is another program.
  program_hash bytea not null unique,
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz(3) not null
);

create table issuer.cards (
  id uuid primary key,
  program_id uuid not null references issuer.programs,
  -- A keyed hash, by which a card is found.
  number_hash bytea not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  status text not null check (status in ('inactive', 'active', 'expired')),
  theme text not null, external_identifier text,
  -- A card that was not activated yet does not grow old.
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  unique (program_id, number_hash),
  check ((status = 'inactive') = (expires_at is null))
);
create index cards_by_expiry on issuer.cards (expires_at) where status = 'active';

-- Apart from the cards, so that counting tries does not wait for money that moves.
create table issuer.pins (
  card_id uuid primary key references issuer.cards,
  -- scrypt (RFC 7914) of a keyed hash of the PIN. The costs stand here, so that new cards can have higher ones.
  salt bytea not null,
  hash bytea not null, cost integer not null, block_size integer not null, parallelization integer not null,
  -- Tries since then. They are counted before a PIN is looked at, so that many at once are counted, too.
  tries integer not null default 0 check (tries >= 0),
  tries_since timestamptz(3)
);

-- One row for each attempt, written before it is answered. The key makes sure that an attempt is done once.
create table issuer.operations (
  program_id uuid not null references issuer.programs,
  attempt_id text collate "C" not null,
  -- `closed`: somebody asked about the attempt before it arrived, and was told that it never will.
  status text not null,
  operation text,
  id uuid unique,
  -- Checked at the end of the transaction: a card is written after the operation that makes it.
  card_id uuid references issuer.cards deferrable initially deferred,
  -- Of a refund or a reversal: the redemption. Of a release, or a redemption of what was held: the hold.
  target_id uuid references issuer.operations (id),
  transaction_id text, amount bigint, currency text,
  -- Of a redemption: what was refunded or reversed.
  given_back bigint not null default 0,
  code text, raw_code text, raw_message text, created_at timestamptz(3) not null,
  primary key (program_id, attempt_id)
);
-- The rules are those of a domain over the row: PostgreSQL reads the checks of a table anew for every statement that writes to it, but
-- those of a domain once for each connection.
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
alter table issuer.operations add constraint operations_rules check (operations::issuer.operations_rules is distinct from null);

-- Where value can be. Names tell what they are: `card:<id>`, `hold:<id of the hold>`, `redeemed:<program>:<currency>`.
create table issuer.accounts (
  id text collate "C" primary key,
  program_id uuid not null references issuer.programs,
  kind text not null check (kind in ('card', 'hold', 'sold', 'redeemed', 'refunded', 'expired')),
  card_id uuid references issuer.cards,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Kept for what belongs to one card. What belongs to a program is added up from the entries when somebody asks, so
  -- that cards of one program do not wait for each other.
  balance bigint check (balance >= 0),
  check ((kind in ('card', 'hold')) = (card_id is not null)),
  check ((kind in ('card', 'hold')) = (balance is not null))
);
create index holds on issuer.accounts (id) where kind = 'hold' and balance > 0;

-- The ledger. A row takes from one account what it gives to another, so no entry can be out of balance.
create table issuer.entries (
  operation_id uuid primary key references issuer.operations (id),
  debit_account text collate "C" not null references issuer.accounts,
  credit_account text collate "C" not null references issuer.accounts,
  amount bigint not null check (amount > 0),
  created_at timestamptz(3) not null,
  check (debit_account <> credit_account)
);

-- Number and PIN of a new card, sealed, until whoever bought it has seen them.
create table issuer.pages (
  operation_id uuid primary key references issuer.operations (id),
  sealed bytea not null, expires_at timestamptz(3) not null
);
create index pages_by_expiry on issuer.pages (expires_at);
