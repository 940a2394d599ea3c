-- A link that one buyer can pay once. The row is read whole; `document` holds what no list filters by.
-- As with payments, no index names a column that changes: the status has a mark, and the times that change are in a table of
-- their own.
create table payment_links (
  merchant_account_id text not null,
  id uuid not null,
  amount integer not null check (amount between 0 and 99999999),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  country text not null check (country ~ '^[A-Z]{2}$'),
  intent text not null check (intent in ('authorize', 'capture')),
  payment_source text not null
    check (payment_source in ('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file')),
  store boolean not null,
  external_identifier text,
  buyer_id uuid,
  document jsonb not null,

  -- From here on: what changes.
  status text not null check (status in ('active', 'processing', 'completed', 'expired')),
  -- The place for one payment: the one under way, or the one that has paid.
  transaction_id uuid,
  -- How many payments were tried. A form names the number that it was made with, so sending it twice pays once.
  tries integer not null default 0 check (tries >= 0),
  expires_at timestamptz(3) not null,
  -- When an active link is to expire. Null for all others: none of them expires any more.
  due_at timestamptz(3),
  updated_at timestamptz(3) not null,

  primary key (merchant_account_id, id),
  constraint held_by_a_payment check ((transaction_id is not null) = (status in ('processing', 'completed'))),
  constraint due_while_active check ((due_at is not null) = (status = 'active'))
) with (fillfactor = 90);
create index payment_links_by_currency on payment_links (merchant_account_id, currency, id);
create index payment_links_by_amount on payment_links (merchant_account_id, amount, id);
create index payment_links_by_buyer on payment_links (merchant_account_id, buyer_id, id) where buyer_id is not null;

create table payment_link_times (
  merchant_account_id text not null,
  id uuid not null,
  updated_at timestamptz(3) not null,
  due_at timestamptz(3),
  primary key (merchant_account_id, id)
);
create index payment_links_by_update on payment_link_times (merchant_account_id, updated_at, id);
create index payment_links_due on payment_link_times (merchant_account_id, due_at, id) where due_at is not null;
-- For the job, which looks at all accounts at once.
create index payment_links_due_anywhere on payment_link_times (due_at, id) where due_at is not null;

create table payment_link_marks (
  merchant_account_id text not null,
  mark text not null,
  id uuid not null,
  primary key (merchant_account_id, mark, id)
);

-- At most one payment of a link is under way or has paid, whatever the code does. Both are checked at the end of the
-- transaction, because payment and link are written in either order.
create function refuse_payment_without_its_link() returns trigger language plpgsql as $$
begin
  if exists (
    select from payment_links as link
    where link.merchant_account_id = new.merchant_account_id and link.id = new.payment_link_id
      and link.transaction_id is distinct from new.id
  ) then
    raise check_violation using message = 'a payment of a payment link does not hold the link';
  end if;
  return null;
end $$;
create constraint trigger payment_holds_its_link after insert on transactions
  deferrable initially deferred for each row
  when (new.payment_link_id is not null and new.status in ('processing', 'buyer_approval_pending'))
  execute function refuse_payment_without_its_link();

create function refuse_link_without_its_payment() returns trigger language plpgsql as $$
begin
  if exists (
    select from transactions as payment
    where payment.merchant_account_id = old.merchant_account_id and payment.id = old.transaction_id
      and payment.status not in ('authorization_declined', 'authorization_failed')
  ) then
    raise check_violation using message = 'a payment link gives up a payment that has not failed';
  end if;
  return null;
end $$;
create constraint trigger link_keeps_its_payment after update on payment_links
  deferrable initially deferred for each row
  when (old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id)
  execute function refuse_link_without_its_payment();
