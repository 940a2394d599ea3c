-- What came out when we fetched our payment pages as a buyer's browser does.
create table page_checks (
  id uuid primary key,
  url text not null,
  -- What differed from the build. Null while the check runs, or if it was interrupted.
  findings jsonb check (jsonb_typeof(findings) = 'array'),
  created_at timestamptz(3) not null
);
create index page_checks_by_age on page_checks (created_at desc);
