-- Periods of a saved view that move with the time, such as the last seven days, by the name of the date.
alter table saved_views
  add column periods jsonb not null default '{}'
  check (jsonb_typeof(periods) = 'object' and octet_length(periods::text) <= 2048);
