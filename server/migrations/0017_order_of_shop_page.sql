-- A page of the shop described the whole order, and may change it until it is paid. False: the merchant's server has a part in it.
alter table checkout_pages add column is_order_of_shop_page boolean not null default false;
