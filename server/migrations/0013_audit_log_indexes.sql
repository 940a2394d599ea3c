-- Without a transaction: payments go on while the indexes are built.
-- Each payment adds an entry, and every filter finds the few that it is about without passing the others. By account
-- first, so that neither an account with few entries nor a rare value has to be looked for among everybody's.
drop index concurrently if exists audit_logs_by_action;
create index concurrently audit_logs_by_action
  on audit_logs (merchant_account_id, action, created_at desc, id desc) where action <> 'revealed';

drop index concurrently if exists audit_logs_by_actor;
create index concurrently audit_logs_by_actor
  on audit_logs (merchant_account_id, actor_id, created_at desc, id desc) where action <> 'revealed';

drop index concurrently if exists audit_logs_by_resource_type;
create index concurrently audit_logs_by_resource_type
  on audit_logs (merchant_account_id, resource_type, created_at desc, id desc) where action <> 'revealed';

-- Only lists over all accounts carry the second condition, which is always true; see buyers_by_age.
drop index concurrently if exists audit_logs_over_all_accounts;
create index concurrently audit_logs_over_all_accounts on audit_logs (created_at desc, id desc)
  where action <> 'revealed' and created_at > '-infinity';
drop index concurrently if exists audit_logs_by_age;
