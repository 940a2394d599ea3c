-- What was asked of a provider for a payment, and what it answered, without secrets and card data: before a row is written,
-- each value is masked that the connector does not allow to be shown. Removed after 30 days.
create table exchanges (
  merchant_account_id text not null,
  transaction_id uuid not null,
  id uuid not null,
  attempt_id uuid not null,
  operation text not null
    check (operation in ('authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'redeem', 'reverse')),
  -- A request that asks for the operation, one that completes it after the buyer's approval, or one that asks for its outcome.
  purpose text not null check (purpose in ('request', 'completion', 'inquiry')),
  service_type text not null check (service_type in ('payment-service', 'gift-card-service')),
  service_id uuid not null,
  service_definition_id text not null,
  -- The request to our API that caused it. Null: a job did.
  request_id text,
  outcome text not null
    check (outcome in ('answered', 'timed_out', 'no_connection', 'no_answer', 'answer_cut', 'answer_refused')),
  reason text,
  -- Not jsonb: nothing looks into them, and writing is cheaper.
  request json not null check (octet_length(request::text) <= 131072),
  response json check (octet_length(response::text) <= 131072),
  duration_ms integer not null check (duration_ms >= 0),
  created_at timestamptz(3) not null,
  primary key (merchant_account_id, transaction_id, id),
  check (reason is null or outcome = 'no_connection'),
  check ((response is not null) = (outcome in ('answered', 'answer_cut')) or outcome in ('timed_out', 'answer_refused'))
);
create index exchanges_by_age on exchanges (created_at);

-- Roles that take payments or read them may see what was said about them.
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{exchanges.read}'::text[]) as permission
  )
  where slug in ('processing', 'reporting') and not 'exchanges.read' = any (permissions);
