-- When we gave up asking a provider to delete a deleted token, which it may therefore still have. Old rows need no check:
-- the column is new.
alter table network_tokens
  add column given_up_at timestamptz(3),
  add constraint network_tokens_given_up check (given_up_at is null or status = 'deleted') not valid;
alter table payment_service_tokens
  add column given_up_at timestamptz(3),
  add constraint payment_service_tokens_given_up check (given_up_at is null or deleted_at is not null) not valid;
