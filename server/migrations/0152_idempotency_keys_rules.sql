-- The rules of idempotency keys, as those of payments (0150).
create domain idempotency_keys_rules as idempotency_keys
  constraint idempotency_keys_key_check check (length((value).key) between 1 and 255)
  constraint idempotency_keys_check check (((value).status is null) = ((value).response is null))
  constraint idempotency_keys_lasting check (
    ((value).lasting_response is null) = ((value).whole_until is null)
    and ((value).lasting_response is null or (value).response is not null));
alter table idempotency_keys
  drop constraint idempotency_keys_key_check,
  drop constraint idempotency_keys_check,
  drop constraint idempotency_keys_lasting,
  add constraint idempotency_keys_rules check (idempotency_keys::idempotency_keys_rules is distinct from null) not valid;
