-- The rules of deliveries, as those of payments (0150).
create domain webhook_deliveries_rules as webhook_deliveries
  constraint webhook_deliveries_status_check check ((value).status in ('waiting', 'delivered', 'parked'))
  constraint webhook_deliveries_parked_because_check check (
    (value).parked_because in ('schedule_ended', 'subscription_inactive', 'subscription_deleted'))
  constraint webhook_deliveries_check check (((value).status = 'waiting') = ((value).next_attempt_at is not null))
  constraint webhook_deliveries_check1 check (((value).status = 'delivered') = ((value).delivered_at is not null))
  constraint webhook_deliveries_check2 check (((value).status = 'parked') = ((value).parked_because is not null));
alter table webhook_deliveries
  drop constraint webhook_deliveries_status_check,
  drop constraint webhook_deliveries_parked_because_check,
  drop constraint webhook_deliveries_check,
  drop constraint webhook_deliveries_check1,
  drop constraint webhook_deliveries_check2,
  add constraint webhook_deliveries_rules check (webhook_deliveries::webhook_deliveries_rules is distinct from null) not valid;
