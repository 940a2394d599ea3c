-- The scope of reading payments includes their sync, which asks the payment service and takes over what it answers.
update roles
  set description = 'Reads payments and what surrounds them. Changes nothing itself, but may have payment services asked for outcomes that are open (sync).'
  where slug = 'reporting';
