-- Brings a database that is at the last schema before the baseline to the baseline. Runs in one transaction, with the change of its
-- history: a crash leaves the database as it was.
do $$ begin
  if exists (select from audit_waiting where code is null) then
    raise exception 'entries of the audit log were made by an older process and are not sealed yet';
  end if;
  if exists (select from audit_archives where state in ('writing', 'archived')) then
    raise exception 'a part of the audit log is in files, in an older form: run "switchyard archive restore" first';
  end if;
end $$;

-- Every link has the list of its entries. Those of some old links name their link instead.
alter table audit_seals drop constraint audit_seals_entry_count_check;
update audit_seals
  set entry_ids = array(select id from audit_logs where seal_position = position and seal_position > 0 order by id)
  where entry_ids is null;
drop index audit_seals_by_first_entry;
alter table audit_seals
  drop column entry_count,
  alter column entry_ids set not null,
  add check (cardinality(entry_ids) > 0);
create index audit_seals_by_first_entry on audit_seals ((entry_ids[1]));
alter table audit_logs drop column seal_position;
alter table audit_waiting alter column code set not null;

-- The attempt of an operation or an inquiry says whether it is open, and when it is due.
alter table gift_card_operations
  drop constraint gift_card_operations_state_check,
  drop constraint gift_card_operations_forgotten,
  drop column due_at,
  drop column checks;
update gift_card_operations set state = 'sent' where state = 'unknown';
alter table gift_card_operations
  add constraint gift_card_operations_state_check check (state in ('sent', 'approved', 'refused')),
  add constraint gift_card_operations_forgotten check (state = 'sent' or (number_token is null and pin_token is null));
alter table gift_card_operations rename constraint gift_card_operations_check1 to gift_card_operations_check;
alter table gift_card_operations rename constraint gift_card_operations_check2 to gift_card_operations_check1;
drop index gift_card_operations_one_activation;
create unique index gift_card_operations_one_activation on gift_card_operations (gift_card_service_id, fingerprint)
  where kind = 'activate' and state = 'sent';
alter table account_updater_inquiries drop column due_at, drop column tries;

-- What was made once is in made_once.
alter table instance drop column first_key_at, drop column first_service_at, drop column first_gift_card_service_at;

alter table payment_service_report_files rename constraint payment_service_report_files_check2 to payment_service_report_files_check1;
alter table payment_service_report_files rename constraint payment_service_report_files_check3 to payment_service_report_files_check2;
alter table payment_service_report_files rename constraint payment_service_report_files_check4 to payment_service_report_files_check3;

-- Rules that the rows from before them were not compared with.
alter table payment_links validate constraint attempt_of_a_payment;
alter table events validate constraint events_traceparent_check;
alter table network_tokens validate constraint network_tokens_given_up;
alter table payment_service_tokens validate constraint payment_service_tokens_given_up;
alter table payment_methods validate constraint payment_service_exists;
alter table refunds validate constraint refunds_capture;
alter table simulator.entries validate constraint entries_batch_fkey;
alter table simulator.entries validate constraint entries_subject_fkey;
