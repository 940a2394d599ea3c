-- What payment services have charged for settled payments, for rules that route by cost. One row for each kind of payment, from coarse
-- to fine. The sums of a row fade together: half is gone after 30 days, so that a new price shows.
create table service_costs (
  merchant_account_id text not null references merchant_accounts,
  payment_service_id uuid not null references payment_services,
  -- The method and the currency; these and the scheme; these and the country of the card.
  segment text not null check (length(segment) between 1 and 100),
  payments double precision not null check (payments > 0),
  amounts double precision not null check (amounts > 0),
  fees double precision not null check (fees >= 0),
  -- Of each payment the amount times itself, and the amount times the fee: a share and a fixed part follow from these.
  squares double precision not null check (squares > 0),
  products double precision not null check (products >= 0),
  last_settled_at timestamptz(3) not null,
  primary key (merchant_account_id, payment_service_id, segment)
);
create index service_costs_by_age on service_costs (last_settled_at);
