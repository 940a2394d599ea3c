-- For the job that removes the secrets of deleted services: whether a service has tokens that may have to be deleted there.
create index payment_service_tokens_at_service on payment_service_tokens (payment_service_id) where vault_token is not null;
