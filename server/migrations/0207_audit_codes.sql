-- A keyed code beside each entry that no link covers yet: an entry that was put there by hand has none that fits, and is not sealed
-- (docs/decisions/0008-audit-chain.md). Entries of earlier versions have none.
alter table audit_waiting add column code bytea;

-- Entries of the versions before 0160 that wait for a link.
insert into audit_waiting (id) select id from audit_logs where seal_position is null on conflict do nothing;
update audit_logs set seal_position = 0 where seal_position is null;
drop index audit_logs_unsealed;
