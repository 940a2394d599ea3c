-- How payment services have fared lately, for rules that route by success. One row for each kind of payment, from coarse to fine.
create table service_scores (
  merchant_account_id text not null references merchant_accounts,
  payment_service_id uuid not null references payment_services,
  -- The method; the method and the scheme; these and the currency and the country of the card.
  segment text not null check (length(segment) between 1 and 100),
  -- Counts that fade: half of them is gone after a thousand payments, or after six hours.
  successes double precision not null check (successes >= 0),
  failures double precision not null check (failures >= 0),
  failures_in_a_row integer not null check (failures_in_a_row >= 0),
  failing_since timestamptz(3),
  last_outcome_at timestamptz(3) not null,
  primary key (merchant_account_id, payment_service_id, segment),
  check ((failing_since is null) = (failures_in_a_row = 0))
);
create index service_scores_by_age on service_scores (last_outcome_at);
