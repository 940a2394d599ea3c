-- Entries of the audit log that no link covers yet. An entry and its row here are written together. Sealing removes the
-- row and leaves the entry as it is (docs/decisions/0162-links-list-their-entries.md).
create table audit_waiting (id uuid primary key);

-- The entries of a link. Links of earlier versions have no list: their entries name the link, in seal_position.
alter table audit_seals
  add column entry_ids uuid[],
  drop constraint audit_seals_entry_count_check,
  -- Not valid: 0161 reads the rows beside the work.
  add constraint audit_seals_entry_count_check check (
    case when entry_ids is null then entry_count > 0 else entry_count = 0 and cardinality(entry_ids) > 0 end) not valid;
-- The link of an entry begins with an entry that is not newer.
create index audit_seals_by_first_entry on audit_seals ((entry_ids[1])) where entry_ids is not null;
