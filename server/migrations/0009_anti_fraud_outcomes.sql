-- How far each anti-fraud service has been told what became of payments. A service without a row has been told of none.
create table anti_fraud_progress (
  anti_fraud_service_id uuid primary key references anti_fraud_services,
  -- The last event that it has heard of, or that was none for it.
  told_at timestamptz(3) not null, told_id uuid not null,
  -- One process tells at a time. What it left by then is told by another.
  busy_until timestamptz(3) not null
);
