-- Customer support corrects payments and makes none: `transactions.write` would let it charge stored cards. It sends events again,
-- without the secrets that sign them, and only looks at buyers.
update roles
  set description = 'Helps buyers: sees their payments, captures, voids, cancels and refunds them, sends payment links, and replays webhooks. Makes no payments.',
    permissions = (
      select array_agg(permission order by permission collate "C")
      from unnest(permissions || '{transactions.follow-ups.write,webhook-deliveries.read,webhook-deliveries.write}'::text[]) as permission
      where permission not in ('buyers.write', 'transactions.write')
    )
  where slug = 'customer-support';

-- To ask for an outcome changes a payment.
update roles
  set description = 'Reads payments and what surrounds them. Changes nothing.'
  where slug = 'reporting';
