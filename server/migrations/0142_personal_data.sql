-- Requests to erase a buyer. The row stays: it proves that the buyer was erased, and holds nothing personal.
create table buyer_erasures (
  merchant_account_id text not null references merchant_accounts,
  buyer_id uuid not null,
  id uuid not null unique,
  status text not null check (status in ('pending', 'succeeded')),
  -- What belonged to the buyer, for the steps that are still to come. Empty once all of them are done.
  payment_method_ids uuid[] not null default '{}',
  gift_card_ids uuid[] not null default '{}',
  shipping_details_ids uuid[] not null default '{}',
  payments integer not null default 0 check (payments >= 0),
  payment_methods integer not null default 0 check (payment_methods >= 0),
  gift_cards integer not null default 0 check (gift_cards >= 0),
  -- Since when no payment names the buyer. Reports from before may.
  payments_erased_at timestamptz(3),
  -- When the job looks at it next. Null once nothing is left to do.
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (merchant_account_id, buyer_id),
  check ((status = 'succeeded') = (completed_at is not null)),
  check (status = 'succeeded' or due_at is not null)
);
create index buyer_erasures_due on buyer_erasures (due_at) where due_at is not null;

-- A link whose entries had names taken out: what its hash covers, and a keyed proof of what the entries say since.
alter table audit_seals
  add column entries_digest bytea,
  add column redaction bytea,
  add constraint audit_seals_redaction check ((entries_digest is null) = (redaction is null));
