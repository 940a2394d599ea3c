-- The e-mail address of the user who made it, as it was then. Null for an API key pair, which has none.
alter table refunds add column creator_email_address text check (length(creator_email_address) <= 254);
alter table webhook_subscriptions add column creator_email_address text check (length(creator_email_address) <= 254);
