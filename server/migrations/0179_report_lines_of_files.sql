-- A line of a file names the file and its report. One key for both: PostgreSQL looks a key up for every line (ADR 177).
create unique index payment_service_report_files_of_report on payment_service_report_files (id, report_id);
-- Lines that are there were checked by the keys that go. Their pairs are read beside the work, by 0180.
alter table payment_service_report_lines
  add constraint payment_service_report_lines_of_file foreign key (file_id, report_id)
    references payment_service_report_files (id, report_id) not valid,
  drop constraint payment_service_report_lines_file_id_fkey,
  drop constraint payment_service_report_lines_report_id_fkey;

-- A line that only a notification told of has a report, but no file. Few lines are such. These two are what a foreign key would do:
-- the line holds its report until the commit, and a report that goes looks for such lines after it has waited for them.
create function refuse_told_line_without_report() returns trigger language plpgsql as $$
begin
  perform from payment_service_reports where id = new.report_id for key share;
  if not found then
    raise foreign_key_violation using message = 'a line of a notification names a report that is not there',
      table = 'payment_service_report_lines', constraint = 'payment_service_report_lines_of_report';
  end if;
  return null;
end $$;
create trigger payment_service_report_lines_of_report
  after insert or update of report_id, file_id on payment_service_report_lines
  for each row when (new.file_id is null) execute function refuse_told_line_without_report();

create function refuse_report_gone_from_lines() returns trigger language plpgsql as $$
begin
  if exists (select from payment_service_report_lines where report_id = old.id)
    and not exists (select from payment_service_reports where id = old.id) then
    raise foreign_key_violation using message = 'lines still name the report',
      table = 'payment_service_report_lines', constraint = 'payment_service_report_lines_of_report';
  end if;
  return null;
end $$;
create trigger payment_service_reports_of_lines after delete or update of id on payment_service_reports
  for each row execute function refuse_report_gone_from_lines();
