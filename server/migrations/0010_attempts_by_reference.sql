-- Providers send a notification until it is acknowledged, so one also has to be known after what it tells of has ended.
drop index transaction_attempts_open;
create index transaction_attempts_by_reference on transaction_attempts (payment_service_id, reference)
  where reference is not null;
