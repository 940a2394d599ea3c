-- What a sandbox starts with, by name. Each is made once: deleting it must not bring it back.
create table if not exists made_once (
  name text primary key check (length(name) between 1 and 100),
  made_at timestamptz(3) not null
);
-- The columns stay for processes of the version before. A later migration drops them.
insert into made_once (name, made_at)
select made.name, made.made_at
from instance, lateral (
  values ('key', first_key_at), ('payment-service', first_service_at), ('gift-card-service', first_gift_card_service_at)
) as made (name, made_at)
where made.made_at is not null
on conflict do nothing;
