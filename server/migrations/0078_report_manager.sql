-- Until now, administrators alone could create reports. Who makes reports need not be able to do anything else.
insert into roles (id, slug, name, description, permissions, assignable_to, applies_to, is_standalone_assignable, created_at)
values (
  '01900000-0000-7000-8000-000000000005', 'report-manager', 'Report manager',
  'Creates reports and reads their files, with what they say of payments and buyers. Moves no money.',
  '{buyers.billing-details.read,metrics-explorer.read,metrics-explorer.write,monitoring.read,payment-service-reports.read,reports.read,reports.write}',
  '{user,api-key-pair}', '{}', true, '2025-12-31T23:59:59.999Z'
)
on conflict do nothing;
