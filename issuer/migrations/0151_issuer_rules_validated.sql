-- Without a transaction: payments go on while the rows are read. Each statement can be run again.
alter table issuer.operations validate constraint operations_rules;
