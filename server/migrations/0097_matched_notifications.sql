-- What became of a notification that fitted nothing when it came: merchants look for it. It stays for thirty days more.
alter table held_notifications
  add column status text not null default 'held' check (status in ('held', 'matched', 'expired')),
  add column ended_at timestamptz(3),
  alter column due_at drop not null,
  add constraint held_notifications_due_while_held check ((status = 'held') = (due_at is not null)),
  add constraint held_notifications_ended check ((status = 'held') = (ended_at is null));
create index held_notifications_by_status on held_notifications (payment_service_id, status, created_at, id);
create index held_notifications_by_end on held_notifications (ended_at) where ended_at is not null;
