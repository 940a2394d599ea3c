-- Without a transaction: payments go on meanwhile. Each statement can be run again.
alter table idempotency_keys drop constraint if exists idempotency_keys_lasting;
alter table idempotency_keys add constraint idempotency_keys_lasting check (
  (lasting_response is null) = (whole_until is null) and (lasting_response is null or response is not null)
) not valid;
alter table idempotency_keys validate constraint idempotency_keys_lasting;
drop index concurrently if exists idempotency_keys_by_secret;
create index concurrently idempotency_keys_by_secret on idempotency_keys (whole_until) where whole_until is not null;
