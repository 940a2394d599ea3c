-- Which wallet answers for a domain with Apple's file. The first one that claims a domain keeps it until it gives it up.
create table digital_wallet_domains (
  domain text primary key,
  merchant_account_id text not null,
  digital_wallet_id uuid not null,
  foreign key (merchant_account_id, digital_wallet_id) references digital_wallets (merchant_account_id, id) on delete cascade
);
create index digital_wallet_domains_by_wallet on digital_wallet_domains (digital_wallet_id);

-- Until now, the oldest wallet with a file for the domain was the one that answered.
insert into digital_wallet_domains (domain, merchant_account_id, digital_wallet_id)
select distinct on (domain) domain, merchant_account_id, id
from digital_wallets, unnest(domain_names) as domain
where provider = 'apple' and extra_configuration -> 'domain_associations' ->> domain is not null
order by domain, created_at, id;

-- The domain is now looked up in the table.
drop index digital_wallets_by_domain;
