-- Where the page leads a buyer who does not want to pay.
alter table checkout_pages add column cancel_url text;
