-- Without a transaction: payments go on while the indexes are built. Each statement can be run again.
alter table audit_seals validate constraint audit_seals_entry_count_check;

-- New entries name no link (0160): they are not in this index.
drop index concurrently if exists audit_logs_naming_links;
create index concurrently audit_logs_naming_links on audit_logs (seal_position, id) where seal_position > 0;
drop index concurrently if exists audit_logs_by_seal;
