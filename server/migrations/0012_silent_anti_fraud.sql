-- A silent service is asked about payments later, beside the one that decides. It is not active: versions before this one pass it over.
alter table anti_fraud_services
  add column silent boolean not null default false,
  add constraint anti_fraud_services_silent_or_active check (not (silent and active));
