-- What providers told us before we knew what it is about: an answer of theirs may still be on its way. A job looks again, and
-- gives up after thirty days. Most of what stays is about payments that were not made here.
create table held_notifications (
  id uuid primary key,
  merchant_account_id text not null,
  -- The service to whose address the message came.
  payment_service_id uuid not null references payment_services,
  -- A hash of `told`: a provider sends its messages several times.
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  -- What the connector has read, as JSON. It has no secrets: all of it may be shown to the merchant.
  told text not null check (octet_length(told) <= 32768),
  checks integer not null default 0 check (checks >= 0),
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  unique (payment_service_id, digest)
);
create index held_notifications_due on held_notifications (due_at);
create index held_notifications_by_service on held_notifications (payment_service_id, created_at, id);
