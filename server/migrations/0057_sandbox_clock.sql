-- How far the clock of a sandbox is ahead of real time: one row.
create table sandbox_clock (
  is_only boolean primary key default true check (is_only),
  offset_ms bigint not null default 0 check (offset_ms >= 0),
  -- Where the clock is being moved to. Null while it is not.
  target timestamptz(3) check (target < '2100-01-01T00:00:00Z'),
  -- The worker that moves it. Until this real time, no other worker takes over.
  leased_by uuid,
  leased_until timestamptz(3),
  constraint leased_while_advancing check ((leased_by is null) = (leased_until is null) and (leased_by is null or target is not null))
);
insert into sandbox_clock default values;

-- Ids and times that others have seen must not come again, and the time of real payments is real.
create function guard_sandbox_clock() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (tg_op = 'UPDATE' and new.offset_ms < old.offset_ms) then
    raise exception 'the clock of a sandbox only goes forward' using errcode = 'check_violation';
  end if;
  if (new.offset_ms > 0 or new.target is not null)
    and not exists (select from instance where environment = 'sandbox') then
    raise exception 'only the clock of a sandbox can be moved' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_sandbox_clock before insert or update or delete on sandbox_clock
  for each row execute function guard_sandbox_clock();

-- Roles that set up the installation may move its clock. Roles that take payments or read them see what time it is.
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{sandbox.read,sandbox.write}'::text[]) as permission
  )
  where slug = 'system-manager' and not 'sandbox.read' = any (permissions);
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{sandbox.read}'::text[]) as permission
  )
  where slug in ('processing', 'reporting') and not 'sandbox.read' = any (permissions);

-- Until when a process has a delivery, in real time. `next_attempt_at` is in the time of the clock, which can be moved.
alter table webhook_deliveries add column leased_until timestamptz(3);
