-- What the page asks of the buyer beside how to pay. Links have it in their document.
alter table checkout_pages add column required_fields text[] not null default '{}' check (
  required_fields <@ array['email_address', 'name', 'phone_number', 'billing_address', 'shipping_address']
);
