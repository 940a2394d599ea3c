update roles
  set description = 'Helps buyers: sees their payments, captures, voids, cancels and refunds them, notes answers to chargebacks, sends payment links, and replays webhooks. Makes no payments.'
  where slug = 'customer-support';
