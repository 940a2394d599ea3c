-- What the merchant has answered to a dispute, and how it ended: the act, the stage that it answers, and of the evidence its names and
-- sizes alone. A later answer takes its place.
alter table disputes add column answer jsonb
  check (answer is null or (jsonb_typeof(answer) = 'object' and answer ->> 'attempt_id' is not null));
-- Evidence on its way to the provider, sealed. It goes once the provider has answered, and with the buyer.
create table dispute_evidence (
  merchant_account_id text not null, attempt_id uuid not null, dispute_id uuid not null,
  sealed bytea not null check (octet_length(sealed) between 1 and 9000000),
  primary key (merchant_account_id, attempt_id),
  foreign key (merchant_account_id, dispute_id) references disputes (merchant_account_id, id) on delete cascade
);
create index dispute_evidence_by_dispute on dispute_evidence (merchant_account_id, dispute_id);
