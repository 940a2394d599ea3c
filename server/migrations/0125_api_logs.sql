-- What was asked of the API, and how it was answered: no bodies, no query, no headers. Removed after 7 days.
create table api_logs (
  -- Empty for requests about the whole installation, and those whose caller is not known.
  merchant_account_id text not null,
  -- Begins with the time of the request.
  id uuid not null,
  request_id text not null,
  method text not null,
  path text not null,
  operation_id text not null,
  status smallint not null check (status between 100 and 599),
  -- Few requests fail, so the index of those that do is short.
  failure text generated always as (case when status >= 500 then '5xx' when status >= 400 then '4xx' end) stored,
  duration_ms integer not null check (duration_ms >= 0),
  -- Null: the request had no valid token, or needs none.
  caller_type text check (caller_type in ('api-key-pair', 'user')),
  caller_id uuid,
  caller_name text,
  has_idempotency_key boolean not null,
  -- Why it was refused. Not jsonb: nothing looks into it, and writing is cheaper.
  error json check (octet_length(error::text) <= 65536),
  primary key (merchant_account_id, id),
  check ((caller_type is null) = (caller_id is null) and (caller_id is null) = (caller_name is null)),
  check (error is null or status >= 400)
);
create index api_logs_by_request on api_logs (merchant_account_id, request_id, id);
create index api_logs_by_caller on api_logs (merchant_account_id, caller_id, id) where caller_id is not null;
create index api_logs_by_failure on api_logs (merchant_account_id, failure, id) where failure is not null;

-- Roles that run an installation, or read what payments tell, may see what was asked of it.
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{api-logs.read}'::text[]) as permission
  )
  where slug in ('system-manager', 'reporting') and not 'api-logs.read' = any (permissions);
