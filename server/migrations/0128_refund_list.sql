-- Refunds of all payments, by status and by the merchant's own reference. A refund changes its status once, so that its index is cheap.
create index refunds_by_status on refunds (merchant_account_id, status, id);
create index refunds_by_external_identifier on refunds (merchant_account_id, external_identifier, id)
  where external_identifier is not null;
