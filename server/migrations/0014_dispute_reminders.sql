-- The deadline of which subscribers were reminded. Another deadline is told again.
alter table disputes add column reminded_for timestamptz(3);
create index disputes_to_remind on disputes (respond_by) where respond_by is not null and reminded_for is distinct from respond_by;
