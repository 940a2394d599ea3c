-- Without a transaction: payments go on while the indexes are built.
-- Few tokens are given up, and the doctor counts them.
drop index concurrently if exists network_tokens_given_up_at;
create index concurrently network_tokens_given_up_at on network_tokens (given_up_at) where given_up_at is not null;

drop index concurrently if exists payment_service_tokens_given_up_at;
create index concurrently payment_service_tokens_given_up_at on payment_service_tokens (given_up_at)
  where given_up_at is not null;
