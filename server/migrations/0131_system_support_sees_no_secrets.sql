-- System support sees webhooks and their deliveries, but not the secrets that sign them.
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{webhook-deliveries.read}'::text[]) as permission
    where permission <> 'webhook-subscriptions.read'
  )
  where slug = 'system-support';
