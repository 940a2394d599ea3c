-- Some providers can be asked about an attempt only by sending the same order again. Such an order is kept as it was, in the
-- vault, before it is sent. `order_state`: an order with a card is `awaited` when its attempt is recorded, and `kept` before
-- it is sent. A process that finds it still awaited after the sender's time is over declares it `abandoned`: it was never
-- sent, and never will be.
alter table attempts add column order_state text;
alter table attempts add constraint attempts_order_state
  check (order_state in ('awaited', 'kept', 'abandoned')) not valid;
-- When the attempt was recorded, in real time. Null for attempts from before this version.
alter table attempts add column sent_at timestamptz(3);

-- `order_token` and `code_token` are of the vault. The security code goes after minutes, and with the provider's first answer.
create table attempt_orders (
  attempt_id uuid primary key references attempts (id) on delete cascade,
  merchant_account_id text not null,
  order_token uuid,
  code_token uuid,
  sent_at timestamptz(3) not null,
  code_until timestamptz(3) not null,
  order_until timestamptz(3) not null,
  check (code_token is null or order_token is not null)
);
create index attempt_orders_codes on attempt_orders (code_until) where code_token is not null;
create index attempt_orders_ends on attempt_orders (order_until);
