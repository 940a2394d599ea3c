-- People who sign in. What they do is recorded under their name, so a row outlives the user: its status says `deleted`.
create table users (
  id uuid primary key,
  email_address text not null check (length(email_address) between 3 and 254),
  name text not null check (length(name) between 1 and 200),
  status text not null check (status in ('pending', 'active', 'disabled', 'deleted')),
  -- A copy, not a reference, as of API key pairs.
  creator_id uuid,
  creator_name text,
  last_signed_in_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-- The address of a deleted user may be invited again.
create unique index users_email_address on users (lower(email_address)) where status <> 'deleted';
create index users_by_age on users (created_at desc, id desc);

create table user_roles (
  user_id uuid not null references users,
  role_id uuid not null references roles,
  primary key (user_id, role_id)
);
create index user_roles_by_role on user_roles (role_id);

-- No row for a user means all merchant accounts. `position` 0 is the one used when a request names none.
create table user_merchant_accounts (
  user_id uuid not null references users,
  merchant_account_id text not null references merchant_accounts,
  position integer not null,
  primary key (user_id, merchant_account_id)
);

-- One row for each browser in which a user is signed in. Signing out deletes it.
create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users,
  -- A keyed hash of the cookie: no user can sign in with a copy of this table, nor with a row that is slipped in.
  token_mac bytea not null constraint user_sessions_token_mac unique,
  method text not null check (method in ('passkey', 'password', 'oidc', 'setup')),
  user_agent text check (length(user_agent) <= 500),
  address text check (length(address) <= 100),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  -- When the user last proved who they are. Some operations want a fresh proof.
  proved_at timestamptz(3) not null,
  -- The end, however often the session is used.
  expires_at timestamptz(3) not null
);
create index user_sessions_by_user on user_sessions (user_id, created_at desc);
create index user_sessions_by_use on user_sessions (last_used_at);

insert into roles (id, slug, name, description, permissions, assignable_to, applies_to, is_standalone_assignable, created_at)
values
  (
    '01900000-0000-7000-8000-000000000006', 'analyst', 'Analyst',
    'Sees payments, buyers and figures. Changes nothing.',
    '{bin-checker.read,buyers.read,card-scheme-definitions.read,checkout-sessions.read,events.read,exchanges.read,gift-cards.read,merchant-accounts.read,metrics-explorer.read,monitoring.read,payment-links.read,payment-method-definitions.read,payment-methods.read,payment-service-definitions.read,payment-services.read,payouts.read,transactions.read}',
    '{user}', '{}', true, '2025-12-31T23:59:59.998Z'
  ),
  (
    '01900000-0000-7000-8000-000000000007', 'customer-support', 'Customer support',
    'Helps buyers: sees their payments, and captures, voids and refunds them. Sends payment links.',
    '{bin-checker.read,buyers.read,buyers.write,card-scheme-definitions.read,checkout-sessions.read,events.read,exchanges.read,gift-cards.read,merchant-accounts.read,payment-links.read,payment-links.write,payment-method-definitions.read,payment-methods.read,payment-service-definitions.read,payment-services.read,payouts.read,transactions.read,transactions.write}',
    '{user}', '{}', true, '2025-12-31T23:59:59.997Z'
  ),
  (
    '01900000-0000-7000-8000-000000000008', 'system-support', 'System support',
    'Sees how the installation is set up, and changes nothing.',
    '{anti-fraud-service-definitions.read,anti-fraud-services.read,api-key-pairs.read,api-logs.read,apple-pay-certificates.read,audit-logs.read,card-scheme-definitions.read,digital-wallets.read,events.read,gift-card-service-definitions.read,gift-card-services.read,merchant-accounts.read,monitoring.read,payment-method-definitions.read,payment-service-definitions.read,payment-service-reports.read,payment-services.read,roles.read,three-ds-scenarios.read,webhook-subscriptions.read}',
    '{user}', '{}', true, '2025-12-31T23:59:59.996Z'
  ),
  (
    '01900000-0000-7000-8000-000000000009', 'user-manager', 'User manager',
    'Invites, changes and disables users. Gives them only what the manager has as well.',
    '{audit-logs.read,merchant-accounts.read,roles.read,users.read,users.write}',
    '{user}', '{}', true, '2025-12-31T23:59:59.995Z'
  ),
  (
    '01900000-0000-7000-8000-000000000010', 'pii-viewer', 'Viewer of personal data',
    'Beside another role: sees the personal data of buyers in reports.',
    '{buyers.billing-details.read}',
    '{user}', '{}', false, '2025-12-31T23:59:59.994Z'
  ),
  (
    '01900000-0000-7000-8000-000000000011', 'report-viewer', 'Report viewer',
    'Beside another role: reads reports and their files.',
    '{payment-service-reports.read,reports.read}',
    '{user}', '{}', false, '2025-12-31T23:59:59.993Z'
  )
on conflict do nothing;

-- A metric can be made by a user, too.
alter table monitoring_metrics add column creator_type text not null default 'private_key'
  check (creator_type in ('private_key', 'user'));
