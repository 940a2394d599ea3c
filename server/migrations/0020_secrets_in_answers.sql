-- An answer that holds a secret is kept whole for ten minutes. Then the answer without the secret takes its place.
alter table idempotency_keys
  add column lasting_response bytea,
  add column whole_until timestamptz(3);
