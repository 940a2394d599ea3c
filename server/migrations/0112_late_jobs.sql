-- The jobs that were late in the last advance of the clock: [{"job", "reason", "due_at"}].
alter table sandbox_clock add column late_jobs jsonb not null default '[]' check (jsonb_typeof(late_jobs) = 'array');
