-- What an authorization presents to its payment service, if it is not what the payment itself says: a token in place of
-- the stored card's number. It is recorded before the service is asked.
alter table attempts add column instrument_type text;
alter table attempts add column instrument_id uuid;
alter table attempts add constraint attempts_instrument
  check (instrument_id is null or instrument_type is not null) not valid;
