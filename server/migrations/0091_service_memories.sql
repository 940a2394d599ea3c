-- What providers lend us for a while, such as access tokens, sealed. `key` is made of the service, the name and the
-- service's credentials: after a change of credentials it is another one. Times are real.
create table service_memories (
  key bytea primary key check (octet_length(key) = 32),
  service_id uuid not null,
  value bytea not null check (octet_length(value) <= 65536),
  expires_at timestamptz(3) not null
);
create index service_memories_ends on service_memories (expires_at);
