-- Without a transaction: payments go on while the constraints are checked.
-- What has arrived of a payment and of a refund: the sum of their settlements. Not in any index.
alter table transactions add column if not exists settled_amount bigint not null default 0;
alter table transactions add column if not exists settled_currency text;
-- What was refunded of captures that failed later. It stays in captured_amount, so that refunds never exceed captures.
alter table transactions add column if not exists uncollected_amount integer not null default 0;
alter table refunds add column if not exists settled_amount bigint not null default 0;
alter table refunds add column if not exists settled_currency text;

alter table transactions drop constraint if exists settled_in_a_currency;
alter table transactions add constraint settled_in_a_currency check (
  coalesce(settled_currency ~ '^[A-Z]{3}$', settled_amount = 0)) not valid;
alter table transactions validate constraint settled_in_a_currency;

alter table transactions drop constraint if exists uncollected_within_refunded;
alter table transactions add constraint uncollected_within_refunded check (
  uncollected_amount >= 0 and uncollected_amount <= refunded_amount + refunding_amount) not valid;
alter table transactions validate constraint uncollected_within_refunded;

alter table refunds drop constraint if exists refund_settled_in_a_currency;
alter table refunds add constraint refund_settled_in_a_currency check (
  coalesce(settled_currency ~ '^[A-Z]{3}$', settled_amount = 0)) not valid;
alter table refunds validate constraint refund_settled_in_a_currency;
