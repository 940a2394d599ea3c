-- What a shop's page adds to the payment beside the session's order. Null: the merchant's server made the page.
alter table checkout_pages add column terms jsonb check (jsonb_typeof(terms) = 'object');
