-- Who created a subscription, and which events it wants: names, and groups such as transaction.*. Null: all events.
alter table webhook_subscriptions
  add column creator_id uuid,
  add column creator_name text,
  add column events text[] check (cardinality(events) between 1 and 100 and array_position(events, null) is null),
  add check ((creator_id is null) = (creator_name is null));
