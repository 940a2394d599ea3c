-- Rules that are tried on payments of the past. A job goes through the payments by id, and keeps what it has counted so far.
create table flow_back_tests (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  status text not null check (status in ('pending', 'running', 'succeeded', 'failed')),
  -- Null: the rules came with the request.
  version integer check (version > 0),
  rules jsonb not null check (jsonb_typeof(rules) = 'array' and jsonb_array_length(rules) <= 500),
  created_at_gte timestamptz(3) not null,
  created_at_lte timestamptz(3) not null,
  total bigint check (total >= 0),
  done bigint not null default 0 check (done >= 0),
  -- The payment up to which they are counted.
  done_through uuid,
  tally jsonb not null default '{}',
  failure_reason text check (length(failure_reason) between 1 and 300),
  tries integer not null default 0 check (tries >= 0),
  leased_until timestamptz(3),
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  check (created_at_gte <= created_at_lte),
  check ((finished_at is not null) = (status in ('succeeded', 'failed'))),
  check ((failure_reason is not null) = (status = 'failed'))
);
create index flow_back_tests_by_account on flow_back_tests (merchant_account_id, created_at desc, id desc);
create index flow_back_tests_open on flow_back_tests (created_at) where status in ('pending', 'running');
