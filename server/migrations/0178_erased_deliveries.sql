-- The event was erased while it was being sent, or before. What the subscriber answers may repeat it, so it is not kept.
alter table webhook_deliveries add column is_erased boolean not null default false;
