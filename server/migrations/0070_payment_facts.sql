-- One narrow row for each payment whose authorization is decided: what the metrics explorer asks about. A job writes them from
-- transactions and their documents, some minutes later. Rows are written once; the few payments that change afterwards are noted in
-- payment_facts_pending, and written again. The id is that of the payment: it holds the time, and gives the order.
create table payment_facts (
  id uuid not null,
  payment_service_id uuid,
  amount integer not null,
  authorized boolean not null,
  is_subsequent_payment boolean not null,
  merchant_initiated boolean not null,
  liability_shifted boolean,
  merchant_account_id text not null,
  currency text not null,
  country text,
  method text,
  payment_source text not null,
  payment_method_scheme text,
  payment_method_bin text,
  payment_method_country text,
  payment_method_card_type text,
  payment_method_card_issuer_name text,
  instrument_type text,
  error_code text,
  raw_response_code text,
  authentication_outcome text,
  three_d_secure_auth_resp text,
  three_d_secure_eci text,
  three_d_secure_method text,
  metadata jsonb,
  primary key (merchant_account_id, id)
);

-- How far the job has come with each merchant account: all decided payments with a smaller id have their facts, apart from those
-- that are pending.
create table payment_fact_progress (
  merchant_account_id text primary key,
  filled_to uuid not null
);

-- Payments whose facts are missing or outdated: undecided when the job came by, or changed since. The explorer reads the payments
-- themselves in their place.
create table payment_facts_pending (
  merchant_account_id text not null,
  id uuid not null,
  primary key (merchant_account_id, id)
) with (fillfactor = 50);
