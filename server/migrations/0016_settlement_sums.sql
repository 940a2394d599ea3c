-- What lines of report files add up to, by day: a row for each write of lines. Rows are never changed. Lines that no longer count, or count
-- with other amounts, add a row with the difference. So no reader of files waits for another one here.
create table settlement_sums (
  merchant_account_id text not null, payment_service_id uuid not null,
  -- In UTC, by the time at which the provider posted the money.
  day date not null,
  currency text not null, kind text not null,
  amount bigint not null, commission bigint not null,
  -- The parts of the commission, where the provider states them.
  interchange bigint not null, markup bigint not null, scheme_fee bigint not null,
  line_count integer not null,
  id bigint generated always as identity,
  primary key (merchant_account_id, day, id)
);

-- Whether a line moves money. Some only repeat another line, or tell by a notification what a file will tell.
create function moves_money(file_id uuid, unmatched_because text) returns boolean language sql immutable as $$
  select file_id is not null and coalesce(unmatched_because not in ('duplicate', 'differs'), true)
$$;

-- Lines go only into an archive and come back from it, which moves no money. An unreadable line is the exception: it makes room for what it
-- is read as now.
create function add_settlement_sums() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if current_setting('switchyard.restores_archive', true) = 'on' then return null; end if;
    insert into settlement_sums (merchant_account_id, payment_service_id, day, currency, kind,
      amount, commission, interchange, markup, scheme_fee, line_count)
    select merchant_account_id, payment_service_id, (posted_at at time zone 'UTC')::date, currency, kind,
      sum(amount), sum(commission), coalesce(sum(interchange), 0), coalesce(sum(markup), 0), coalesce(sum(scheme_fee), 0), count(*)
    from new_lines where moves_money(file_id, unmatched_because)
    group by 1, 2, 3, 4, 5;
  elsif tg_op = 'UPDATE' then
    insert into settlement_sums (merchant_account_id, payment_service_id, day, currency, kind,
      amount, commission, interchange, markup, scheme_fee, line_count)
    select merchant_account_id, payment_service_id, (posted_at at time zone 'UTC')::date, currency, kind,
      sum(sign * amount), sum(sign * commission), coalesce(sum(sign * interchange), 0), coalesce(sum(sign * markup), 0),
      coalesce(sum(sign * scheme_fee), 0), sum(sign)
    from (
      select 1 as sign, line.* from new_lines as line union all select -1, line.* from old_lines as line
    ) as change where moves_money(file_id, unmatched_because)
    group by 1, 2, 3, 4, 5
    having sum(sign) <> 0 or sum(sign * amount) <> 0 or sum(sign * commission) <> 0 or coalesce(sum(sign * interchange), 0) <> 0
      or coalesce(sum(sign * markup), 0) <> 0 or coalesce(sum(sign * scheme_fee), 0) <> 0;
  else
    insert into settlement_sums (merchant_account_id, payment_service_id, day, currency, kind,
      amount, commission, interchange, markup, scheme_fee, line_count)
    select merchant_account_id, payment_service_id, (posted_at at time zone 'UTC')::date, currency, kind,
      -sum(amount), -sum(commission), -coalesce(sum(interchange), 0), -coalesce(sum(markup), 0), -coalesce(sum(scheme_fee), 0), -count(*)
    from old_lines where unmatched_because = 'unreadable'
    group by 1, 2, 3, 4, 5;
  end if;
  return null;
end $$;
create trigger payment_service_report_lines_added after insert on payment_service_report_lines
  referencing new table as new_lines for each statement execute function add_settlement_sums();
create trigger payment_service_report_lines_changed after update on payment_service_report_lines
  referencing old table as old_lines new table as new_lines for each statement execute function add_settlement_sums();
create trigger payment_service_report_lines_removed after delete on payment_service_report_lines
  referencing old table as old_lines for each statement execute function add_settlement_sums();

-- What was read before.
insert into settlement_sums (merchant_account_id, payment_service_id, day, currency, kind,
  amount, commission, interchange, markup, scheme_fee, line_count)
select merchant_account_id, payment_service_id, (posted_at at time zone 'UTC')::date, currency, kind,
  sum(amount), sum(commission), coalesce(sum(interchange), 0), coalesce(sum(markup), 0), coalesce(sum(scheme_fee), 0), count(*)
from payment_service_report_lines where moves_money(file_id, unmatched_because)
group by 1, 2, 3, 4, 5;
