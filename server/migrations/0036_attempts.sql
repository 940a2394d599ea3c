-- One table for everything that is asked of a provider: for payments, for gift cards that are activated or issued, and
-- for cards that may have been replaced. `service_id` names whom we ask; services take turns by it.
alter table transaction_attempts rename to attempts;
alter table attempts rename column operation to kind;
alter table attempts rename column payment_service_id to service_id;
alter table attempts alter column transaction_id drop not null;
-- The kinds are listed in the code. A list here would have to be checked against every row with each new kind.
alter table attempts drop constraint transaction_attempts_operation_check;
alter index transaction_attempts_pkey rename to attempts_pkey;
alter index transaction_attempts_by_transaction rename to attempts_by_transaction;
alter index transaction_attempts_due rename to attempts_due;
alter index transaction_attempts_by_reference rename to attempts_by_reference;

-- An activation or an issuance has an attempt with the same id. It is open as long as its attempt is.
insert into attempts (id, merchant_account_id, kind, service_id, amount, state, reference, error_code,
  raw_response_code, raw_response_description, checks, due_at, created_at, updated_at)
select id, merchant_account_id, kind, gift_card_service_id, coalesce(amount, 0),
  case state when 'refused' then 'declined' else state end, reference, error_code,
  raw_error_code, raw_error_message, checks, due_at, created_at, updated_at
from gift_card_operations;

alter table gift_card_operations
  drop constraint gift_card_operations_check,
  drop constraint gift_card_operations_check3,
  add constraint gift_card_operations_forgotten
    check (state in ('sent', 'unknown') or (number_token is null and pin_token is null));
drop index gift_card_operations_due;
drop index gift_card_operations_open;
drop index gift_card_operations_one_activation;
create unique index gift_card_operations_one_activation on gift_card_operations (gift_card_service_id, fingerprint)
  where kind = 'activate' and state in ('sent', 'unknown');

-- So has a question to the account updater. Whether it was asked before, the number of tries tells.
insert into attempts (id, merchant_account_id, kind, service_id, amount, state, checks, due_at, created_at, updated_at)
select id, merchant_account_id, 'update-card', '00000000-0000-7000-8000-000000000001', 0,
  case tries when 0 then 'queued' else 'unknown' end, greatest(tries - 1, 0), due_at, created_at, updated_at
from account_updater_inquiries where status = 'pending';
alter table account_updater_inquiries alter column due_at set default 'infinity';

-- What follows is for processes of the version before, which may serve until they are replaced. A later migration drops it.
create view transaction_attempts as
  select id, merchant_account_id, transaction_id, kind as operation, subject_id, service_id as payment_service_id,
    is_direct_capture, amount, state, reference, error_code, raw_response_code, raw_response_description, checks, due_at,
    created_at, updated_at
  from attempts where transaction_id is not null;

-- They write down when their gift card operations and inquiries are due; this version does not.
create function attempt_of_older_operation() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into attempts (id, merchant_account_id, kind, service_id, amount, state, due_at, created_at, updated_at)
    values (new.id, new.merchant_account_id, new.kind, new.gift_card_service_id, coalesce(new.amount, 0), 'sent',
      new.due_at, new.created_at, new.updated_at);
  else
    update attempts set state = case new.state when 'approved' then 'approved' else 'declined' end, due_at = null,
      reference = new.reference, error_code = new.error_code, updated_at = new.updated_at
    where id = new.id and due_at is not null;
  end if;
  return null;
end $$;
create trigger older_operation_begins after insert on gift_card_operations for each row
  when (new.due_at is not null) execute function attempt_of_older_operation();
create trigger older_operation_ends after update on gift_card_operations for each row
  when (old.due_at is not null and new.due_at is null) execute function attempt_of_older_operation();

-- To them, an operation that this version has concluded must not look open.
create function close_older_operation() returns trigger language plpgsql as $$
begin
  new.due_at := null;
  return new;
end $$;
create trigger older_operation_is_closed before update on gift_card_operations for each row
  when (new.state in ('approved', 'refused') and new.due_at is not null) execute function close_older_operation();

create function attempt_of_older_inquiry() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into attempts (id, merchant_account_id, kind, service_id, amount, state, due_at, created_at, updated_at)
    values (new.id, new.merchant_account_id, 'update-card', '00000000-0000-7000-8000-000000000001', 0, 'queued',
      new.due_at, new.created_at, new.updated_at);
  else
    update attempts set state = 'approved', due_at = null, updated_at = new.updated_at
    where id = new.id and due_at is not null;
  end if;
  return null;
end $$;
create trigger older_inquiry_begins after insert on account_updater_inquiries for each row
  when (new.due_at < 'infinity') execute function attempt_of_older_inquiry();
create trigger older_inquiry_ends after update on account_updater_inquiries for each row
  when (old.status = 'pending' and new.status <> 'pending') execute function attempt_of_older_inquiry();
