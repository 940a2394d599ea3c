-- Some providers refund a capture, not a payment. The capture is chosen before the provider is asked, so that what is left
-- of each capture is known. Null: of a gift card, from before this version, or larger than every capture's rest.
alter table refunds add column capture_id uuid;
alter table refunds add constraint refunds_capture
  foreign key (merchant_account_id, transaction_id, capture_id)
  references transaction_captures (merchant_account_id, transaction_id, id) not valid;
