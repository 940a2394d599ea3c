-- Questions to the metrics explorer that people keep under a name.
create table metrics_explorer_presets (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  source text not null check (source in ('authentication', 'authorization', 'monitoring')),
  metric text not null check (metric in ('volume', 'transactions', 'auth_rate')),
  display_name text not null check (length(display_name) between 1 and 255),
  -- In a list, null stands for payments without a value.
  filters jsonb not null check (filters ->> 'datetime_range' <> ''),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index metrics_explorer_presets_by_account
  on metrics_explorer_presets (merchant_account_id, source, created_at desc, id desc);

-- Who takes payments may see how they do. Who sets the installation up may also keep questions for the others.
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{metrics-explorer.read}'::text[]) as permission
  )
  where slug in ('processing', 'system-manager') and not 'metrics-explorer.read' = any (permissions);
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{metrics-explorer.write}'::text[]) as permission
  )
  where slug = 'system-manager' and not 'metrics-explorer.write' = any (permissions);
