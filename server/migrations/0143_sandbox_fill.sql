-- The history that a sandbox was last filled with: one row.
create table sandbox_fill (
  is_only boolean primary key default true check (is_only),
  status text not null default 'idle' check (status in ('idle', 'waiting', 'filling', 'succeeded', 'failed')),
  merchant_account_id text references merchant_accounts (id),
  days integer check (days between 1 and 730),
  payments integer check (payments between 1 and 100000),
  seed integer check (seed > 0),
  -- What the shop has done so far, and how many of its requests were refused for which reason.
  made jsonb not null default '{"payments": 0, "approved": 0, "captures": 0, "refunds": 0, "voids": 0}',
  refusals jsonb not null default '[]',
  failure text check (failure in ('refused', 'interrupted', 'error')),
  begun_at timestamptz(3),
  ended_at timestamptz(3),
  -- The key of the shop, which is deleted at the end.
  api_key_pair_id uuid,
  -- The worker that makes the history. After this real time, it is taken for dead.
  leased_by uuid,
  leased_until timestamptz(3),
  constraint wished_unless_idle check (
    (status = 'idle') = (merchant_account_id is null)
    and (merchant_account_id is null) = (days is null) and (days is null) = (payments is null)
    and (payments is null) = (seed is null) and (seed is null) = (begun_at is null)
  ),
  constraint leased_while_filling check ((status = 'filling') = (leased_by is not null) and (leased_by is null) = (leased_until is null)),
  constraint failed_with_a_reason check ((status = 'failed') = (failure is not null)),
  constraint ended_when_over check ((status in ('succeeded', 'failed')) = (ended_at is not null))
);
insert into sandbox_fill default values;
