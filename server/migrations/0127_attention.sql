-- What needs a person is counted from these, however much needs none.
create index payment_service_report_lines_unmatched_by_account on payment_service_report_lines (merchant_account_id, id)
  where unmatched_because is not null and unmatched_because <> 'duplicate';
create index digital_wallet_keys_by_expiry on digital_wallet_keys (merchant_account_id, expires_at) where expires_at is not null;
create index webhook_subscriptions_by_account on webhook_subscriptions (merchant_account_id) where deleted_at is null;
create index payment_service_report_feeds_failing on payment_service_report_feeds (merchant_account_id) where failures > 0;
-- Few orders outlive the time in which they can be sent again.
create index attempt_orders_by_account on attempt_orders (merchant_account_id, order_until);

-- Roles that read payments or run an installation see what waits for them. Each sees only what its other scopes allow.
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{attention.read}'::text[]) as permission
  )
  where not is_custom and not permissions && '{*.read,attention.read}'
    and permissions && '{transactions.read,payment-services.read,webhook-subscriptions.read,payment-service-reports.read,monitoring.read}';
