-- Rules that decide about payments. Every change writes all rules of the account as a new version; no version is ever changed.
create table flow_versions (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  number integer not null check (number > 0),
  rules jsonb not null check (jsonb_typeof(rules) = 'array' and jsonb_array_length(rules) <= 500),
  -- What the change was, for people who read the history.
  note text not null check (length(note) between 1 and 300),
  author_id uuid,
  author_name text not null,
  created_at timestamptz(3) not null,
  unique (merchant_account_id, number)
);
create index flow_versions_by_account on flow_versions (merchant_account_id, created_at desc, id desc);

create function refuse_change_of_flow_version() returns trigger language plpgsql as $$
begin
  raise exception 'a version of the rules is never changed: write a new one' using errcode = '23514';
end $$;
create trigger flow_versions_stay before update or delete on flow_versions
  for each row execute function refuse_change_of_flow_version();

-- Payments from before there were rules followed none.
alter table payment_facts
  add column rule_id_route_transaction text,
  add column rule_id_skip_3ds text,
  add column rule_variant_id text;

-- Roles that may see payments may see why they went where they went.
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{flows.read}'::text[]) as permission
  )
  where not is_custom and not permissions && '{*.read,flows.read}' and permissions && '{payment-services.read}';
