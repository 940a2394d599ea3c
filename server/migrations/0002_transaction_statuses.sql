-- The mark of a payment's status in a table of its own: a payment has one at any time. A decision then changes this row and adds
-- others to transaction_marks, and no statement changes one table twice, which databases that spread over machines may refuse.
create table transaction_statuses (
  merchant_account_id text not null, mark text not null, id uuid not null,
  primary key (merchant_account_id, mark, id)
) with (fillfactor = 90);

-- One row of each payment moves: minutes, where there are millions.
insert into transaction_statuses (merchant_account_id, mark, id)
  select merchant_account_id, mark, id from transaction_marks where mark like 'status:%';
delete from transaction_marks where mark like 'status:%';
