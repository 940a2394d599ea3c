-- One index for each filter of the transaction list on a column that does not change with the payment's progress. All
-- end with the id, which is the order of the list: whatever is asked for, the next page is the next entries of an
-- index. What changes is found through transaction_marks and transaction_updates, whose keys look the same.
-- See docs/decisions/0017-transaction-list.md.
create index transactions_by_external_identifier on transactions (merchant_account_id, external_identifier, id)
  where external_identifier is not null;
create index transactions_by_buyer on transactions (merchant_account_id, buyer_id, id) where buyer_id is not null;
create index transactions_by_buyer_external_identifier
  on transactions (merchant_account_id, buyer_external_identifier, id) where buyer_external_identifier is not null;
create index transactions_by_buyer_email_address on transactions (merchant_account_id, buyer_email_address, id)
  where buyer_email_address is not null;
create index transactions_by_ip_address on transactions (merchant_account_id, ip_address, id)
  where ip_address is not null;
create index transactions_by_checkout_session on transactions (merchant_account_id, checkout_session_id, id)
  where checkout_session_id is not null;
create index transactions_by_payment_link on transactions (merchant_account_id, payment_link_id, id)
  where payment_link_id is not null;
create index transactions_by_reauthorized on transactions (merchant_account_id, reauthorized_from_transaction_id, id)
  where reauthorized_from_transaction_id is not null;
create index transactions_by_payment_method on transactions (merchant_account_id, payment_method_id, id)
  where payment_method_id is not null;
create index transactions_by_fingerprint on transactions (merchant_account_id, payment_method_fingerprint, id)
  where payment_method_fingerprint is not null;
create index transactions_by_label on transactions (merchant_account_id, payment_method_label, id)
  where payment_method_label is not null;
create index transactions_by_bin on transactions (merchant_account_id, payment_method_bin, id)
  where payment_method_bin is not null;
create index transactions_by_amount on transactions (merchant_account_id, amount, id);
create index transactions_by_payment_service on transactions (merchant_account_id, payment_service_id, id)
  where payment_service_id is not null;
create index transactions_by_payment_method_country on transactions (merchant_account_id, payment_method_country, id)
  where payment_method_country is not null;
create index transactions_by_scheme on transactions (merchant_account_id, payment_method_scheme, id)
  where payment_method_scheme is not null;
create index transactions_by_country on transactions (merchant_account_id, country, id) where country is not null;
create index transactions_by_currency on transactions (merchant_account_id, currency, id);
create index transactions_by_method on transactions (merchant_account_id, method, id) where method is not null;
create index transactions_by_payment_source on transactions (merchant_account_id, payment_source, id);
create index transactions_by_is_subsequent_payment on transactions (merchant_account_id, is_subsequent_payment, id);
create index transactions_by_merchant_initiated on transactions (merchant_account_id, merchant_initiated, id);
create index transactions_by_has_gift_card_redemptions
  on transactions (merchant_account_id, has_gift_card_redemptions, id);
