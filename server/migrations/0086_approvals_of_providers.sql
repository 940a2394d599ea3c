-- The buyer approves at the provider and comes back to us. `may_complete`: the provider is asked to complete the attempt,
-- under the same id, until it is decided. `returned` is what the buyer's browser brought back, and `approval` is what our
-- page shows before that. Both are sealed, and go when the attempt is decided.
alter table attempts add column may_complete boolean not null default false;
alter table attempts add column returned bytea;
alter table attempts add column approval bytea;
alter table attempts add constraint attempts_returned
  check (returned is null or (may_complete and due_at is not null)) not valid;
alter table attempts add constraint attempts_approval check (approval is null or due_at is not null) not valid;
