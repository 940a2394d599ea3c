-- What was asked of a 3-D Secure server. It is no attempt: attempt_id is that of the transaction then. Every row that is there fits the
-- wider rules, so they are not looked at.
alter table exchanges
  drop constraint exchanges_operation_check,
  add constraint exchanges_operation_check check (operation in
    ('authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'redeem', 'reverse', 'authenticate')) not valid,
  drop constraint exchanges_service_type_check,
  add constraint exchanges_service_type_check check (service_type in
    ('payment-service', 'gift-card-service', 'three-ds-service')) not valid;
