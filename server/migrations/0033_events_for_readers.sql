-- Roles that take payments or read them read events and deliveries too. The scope of webhook subscriptions would show them
-- the secrets that sign webhooks.
update roles
  set permissions = (
    select array_agg(permission order by permission collate "C")
    from unnest(permissions || '{events.read}'::text[]) as permission
  )
  where slug in ('processing', 'reporting', 'system-manager') and not 'events.read' = any (permissions);
