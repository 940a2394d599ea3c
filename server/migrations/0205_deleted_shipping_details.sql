-- Which shipping details a buyer had. Events and entries of the audit log tell of them after they are deleted: an erasure looks for their ids.
create table deleted_shipping_details (
  merchant_account_id text not null references merchant_accounts,
  buyer_id uuid not null,
  id uuid not null,
  primary key (merchant_account_id, buyer_id, id)
);
