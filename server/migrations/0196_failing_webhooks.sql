-- Whether a receiver works: since when it has taken nothing, and when it last took something. Null: it took the last one; never.
alter table webhook_subscriptions
  add column failing_since timestamptz(3),
  add column last_delivered_at timestamptz(3);
