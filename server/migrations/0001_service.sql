-- The schema of the service, by resource. Tables of the same part stand together; those that others refer to come first.
-- Times are those of the installation's clock, which a sandbox can move, unless a comment says that they are real.

-- == The installation

-- The installation itself: one row, made by the first start.
create table instance (
  is_only boolean primary key default true check (is_only),
  environment text not null check (environment in ('sandbox', 'production')),
  -- A keyed hash of a constant. It tells whether SECRET_KEY is the one this database was made with.
  secret_check bytea not null,
  created_at timestamptz(3) not null
);

-- What a sandbox starts with, by name. Each is made once: deleting it must not bring it back.
create table made_once (
  name text primary key check (length(name) between 1 and 100),
  made_at timestamptz(3) not null
);

-- What came out when we fetched our payment pages as a buyer's browser does.
create table page_checks (
  id uuid primary key,
  url text not null,
  -- What differed from the build. Null while the check runs, or if it was interrupted.
  findings jsonb check (jsonb_typeof(findings) = 'array'),
  created_at timestamptz(3) not null
);
create index page_checks_by_age on page_checks (created_at desc);

-- == Merchant accounts

create table merchant_accounts (
  id text primary key check (id ~ '^[a-zA-Z0-9-]{1,50}$'),
  display_name text not null check (length(display_name) between 1 and 255),
  account_updater_enabled boolean not null, account_updater_request_encryption_key_id text,
  account_updater_response_decryption_key_id text, loon_accepted_schemes text[], loon_merchant_account_id text,
  over_capture_amount integer check (over_capture_amount between 0 and 99999999),
  over_capture_percentage integer check (over_capture_percentage between 0 and 99999999),
  async_network_tokens_enabled boolean not null,
  -- Keys for outside services, sealed as one value.
  sealed_keys bytea,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);
create index merchant_accounts_by_age on merchant_accounts (created_at desc, id desc);
insert into merchant_accounts (id, display_name, account_updater_enabled, async_network_tokens_enabled, created_at, updated_at)
values ('default', 'Default', false, false, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()));

-- An account's names at the network token services. No two accounts or schemes share one.
create table merchant_account_network_tokens (
  merchant_account_id text not null references merchant_accounts,
  scheme text not null check (scheme in ('visa', 'amex', 'mastercard', 'discover')),
  requestor_id text not null constraint network_tokens_requestor_id unique,
  app_id text not null constraint network_tokens_app_id unique,
  primary key (merchant_account_id, scheme)
);

-- How the pages for buyers look in a merchant account. An account without a row has the usual look.
create table merchant_account_themes (
  merchant_account_id text primary key references merchant_accounts,
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  accent_color_dark text check (accent_color_dark ~ '^#[0-9a-f]{6}$'),
  radius text check (radius in ('none', 'small', 'medium', 'large')),
  font text check (font in ('geist', 'system', 'humanist', 'rounded', 'serif', 'mono')),
  logo bytea check (length(logo) between 1 and 102400),
  logo_media_type text check (logo_media_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- SHA-256 of the logo. It is part of the logo's address, so that browsers can keep the picture for ever.
  logo_digest text check (logo_digest ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  check ((logo is null) = (logo_media_type is null) and (logo is null) = (logo_digest is null))
);

create table three_ds_configurations (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  scheme text not null,
  currency text check (currency ~ '^[A-Z]{3}$'),
  merchant_acquirer_bin text not null, merchant_acquirer_id text not null, merchant_name text not null,
  merchant_country_code text not null, merchant_category_code text not null, merchant_url text not null, metadata jsonb not null,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);
create unique index three_ds_configurations_one_per_currency
  on three_ds_configurations (merchant_account_id, scheme, coalesce(currency, ''));

-- How a merchant wants the rules of card schemes to be treated. No row: as schemes want it.
create table retry_policies (
  merchant_account_id text primary key references merchant_accounts,
  mode text not null check (mode in ('obey', 'warn')),
  -- Null: the limits of the schemes.
  limits jsonb check (jsonb_typeof(limits) = 'array' and jsonb_array_length(limits) <= 50),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);

-- == Roles, API keys and users

create table roles (
  id uuid primary key,
  slug text not null unique,
  name text not null, description text not null, permissions text[] not null, assignable_to text[] not null, applies_to text[] not null,
  is_standalone_assignable boolean not null, created_at timestamptz(3) not null,
  -- Roles that an installation makes for itself, beside the built-in ones.
  is_custom boolean not null default false,
  -- Null: since it was made.
  updated_at timestamptz(3),
  -- Migrations add built-in roles, and never change one of these: no built-in slug begins like theirs.
  constraint roles_custom_slug check (is_custom = starts_with(slug, 'custom-')),
  constraint roles_custom_form check (
    not is_custom or (
    length(name) between 1 and 100 and length(description) <= 500 and updated_at is not null
    and cardinality(permissions) between 1 and 200 and assignable_to <@ '{user,api-key-pair}' and assignable_to <> '{}'
  )
  )
);
create unique index roles_custom_name on roles (lower(name)) where is_custom;
-- The newest is listed first: their times are the order of the list.
insert into roles (id, slug, name, description, permissions, assignable_to, applies_to, is_standalone_assignable, created_at)
values
  (
    '01900000-0000-7000-8000-000000000001', 'administrator', 'Administrator',
    'Everything, on all resources.',
    '{*.read,*.write}',
    '{user,api-key-pair}', '{}', true, '2026-01-01T00:00:00.003Z'
  ),
  (
    '01900000-0000-7000-8000-000000000002', 'processing', 'Processing',
    'Payments from checkout to refund, with the buyers and payment methods they need. Reads reports.',
    '{attention.read,bin-checker.read,buyers.billing-details.read,buyers.billing-details.write,buyers.read,buyers.write,card-scheme-definitions.read,checkout-sessions.read,checkout-sessions.write,digital-wallets.read,digital-wallets.write,events.read,exchanges.read,flows.read,gift-cards.read,gift-cards.write,metrics-explorer.read,payment-links.read,payment-links.write,payment-method-definitions.read,payment-methods.read,payment-methods.write,payment-options.read,payment-service-definitions.read,payment-service-reports.read,payment-services.read,payouts.read,payouts.write,reports.read,sandbox.read,transactions.read,transactions.write}',
    '{user,api-key-pair}', '{}', true, '2026-01-01T00:00:00.002Z'
  ),
  (
    '01900000-0000-7000-8000-000000000003', 'reporting', 'Reporting',
    'Reads payments and what surrounds them. Changes nothing.',
    '{api-logs.read,attention.read,bin-checker.read,buyers.billing-details.read,buyers.read,card-scheme-definitions.read,checkout-sessions.read,events.read,exchanges.read,flows.read,gift-cards.read,merchant-accounts.read,metrics-explorer.read,monitoring.read,payment-links.read,payment-method-definitions.read,payment-methods.read,payment-service-definitions.read,payment-service-reports.read,payment-services.read,payouts.read,reports.read,sandbox.read,transactions.read}',
    '{user,api-key-pair}', '{}', true, '2026-01-01T00:00:00.001Z'
  ),
  (
    '01900000-0000-7000-8000-000000000004', 'system-manager', 'System manager',
    'Sets up the installation: merchant accounts, keys, payment services, webhooks, rules. Moves no money.',
    '{anti-fraud-service-definitions.read,anti-fraud-services.read,anti-fraud-services.write,api-key-pairs.read,api-key-pairs.write,api-logs.read,apple-pay-certificates.read,apple-pay-certificates.write,attention.read,audit-logs.read,card-scheme-definitions.read,digital-wallets.read,digital-wallets.write,events.read,flows.read,flows.write,gift-card-service-definitions.read,gift-card-services.read,gift-card-services.write,health-dashboard.read,merchant-accounts.read,merchant-accounts.write,metrics-explorer.read,metrics-explorer.write,monitoring.read,monitoring.write,payment-method-definitions.read,payment-service-definitions.read,payment-service-reports.read,payment-services.read,payment-services.write,roles.read,sandbox.read,sandbox.write,three-ds-scenarios.read,three-ds-scenarios.write,vault-forward-configs.read,vault-forward-configs.write,vault-forward-definitions.read,webhook-subscriptions.read,webhook-subscriptions.write}',
    '{user,api-key-pair}', '{}', true, '2026-01-01T00:00:00.000Z'
  ),
  (
    '01900000-0000-7000-8000-000000000005', 'report-manager', 'Report manager',
    'Creates reports and reads their files, with what they say of payments and buyers. Moves no money.',
    '{attention.read,buyers.billing-details.read,metrics-explorer.read,metrics-explorer.write,monitoring.read,payment-service-reports.read,reports.read,reports.write}',
    '{user,api-key-pair}', '{}', true, '2025-12-31T23:59:59.999Z'
  ),
  (
    '01900000-0000-7000-8000-000000000006', 'analyst', 'Analyst',
    'Sees payments, buyers and figures. Changes nothing.',
    '{attention.read,bin-checker.read,buyers.read,card-scheme-definitions.read,checkout-sessions.read,events.read,exchanges.read,flows.read,gift-cards.read,merchant-accounts.read,metrics-explorer.read,monitoring.read,payment-links.read,payment-method-definitions.read,payment-methods.read,payment-service-definitions.read,payment-services.read,payouts.read,transactions.read}',
    '{user}', '{}', true, '2025-12-31T23:59:59.998Z'
  ),
  (
    '01900000-0000-7000-8000-000000000007', 'customer-support', 'Customer support',
    'Helps buyers: sees their payments, captures, voids, cancels and refunds them, notes answers to chargebacks, sends payment links, and replays webhooks. Makes no payments.',
    '{attention.read,bin-checker.read,buyers.read,card-scheme-definitions.read,checkout-sessions.read,events.read,exchanges.read,flows.read,gift-cards.read,merchant-accounts.read,payment-links.read,payment-links.write,payment-method-definitions.read,payment-methods.read,payment-service-definitions.read,payment-services.read,payouts.read,transactions.follow-ups.write,transactions.read,webhook-deliveries.read,webhook-deliveries.write}',
    '{user}', '{}', true, '2025-12-31T23:59:59.997Z'
  ),
  (
    '01900000-0000-7000-8000-000000000008', 'system-support', 'System support',
    'Sees how the installation is set up, and changes nothing.',
    '{anti-fraud-service-definitions.read,anti-fraud-services.read,api-key-pairs.read,api-logs.read,apple-pay-certificates.read,attention.read,audit-logs.read,card-scheme-definitions.read,digital-wallets.read,events.read,flows.read,gift-card-service-definitions.read,gift-card-services.read,merchant-accounts.read,monitoring.read,payment-method-definitions.read,payment-service-definitions.read,payment-service-reports.read,payment-services.read,roles.read,three-ds-scenarios.read,webhook-deliveries.read}',
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
    '{attention.read,payment-service-reports.read,reports.read}',
    '{user}', '{}', false, '2025-12-31T23:59:59.993Z'
  );

create table api_key_pairs (
  id uuid primary key,
  thumbprint text not null constraint api_key_pairs_thumbprint unique,
  display_name text not null check (length(display_name) between 1 and 200),
  algorithm text not null check (algorithm in ('ECDSA', 'RSA', 'EdDSA')),
  signature_algorithm text not null check (signature_algorithm in ('ES256', 'ES384', 'ES512', 'RS512', 'EdDSA')),
  public_key text not null, active boolean not null,
  -- A copy, not a reference: the creator may be deleted, its trace must stay.
  creator_id uuid,
  creator_name text, creator_thumbprint text, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index api_key_pairs_by_age on api_key_pairs (created_at desc, id desc);

create table api_key_pair_roles (
  api_key_pair_id uuid not null references api_key_pairs on delete cascade,
  role_id uuid not null references roles,
  primary key (api_key_pair_id, role_id)
);
create index api_key_pair_roles_by_role on api_key_pair_roles (role_id);

-- No row for a key means all merchant accounts. `position` 0 is the one used when a request names none.
create table api_key_pair_merchant_accounts (
  api_key_pair_id uuid not null references api_key_pairs on delete cascade,
  merchant_account_id text not null references merchant_accounts,
  position integer not null,
  primary key (api_key_pair_id, merchant_account_id)
);

-- People who sign in. What they do is recorded under their name, so a row outlives the user: its status says `deleted`.
create table users (
  id uuid primary key,
  email_address text not null check (length(email_address) between 3 and 254),
  name text not null check (length(name) between 1 and 200),
  status text not null check (status in ('pending', 'active', 'disabled', 'deleted')),
  -- A copy, not a reference, as of API key pairs.
  creator_id uuid,
  creator_name text, last_signed_in_at timestamptz(3), created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  -- Since when a user may sign in without a break. One who has not for 90 days since is disabled (PCI DSS 8.2.6).
  active_since timestamptz(3) not null default now()
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
  created_at timestamptz(3) not null, last_used_at timestamptz(3) not null,
  -- When the user last proved who they are. Some operations want a fresh proof.
  proved_at timestamptz(3) not null,
  -- The end, however often the session is used.
  expires_at timestamptz(3) not null,
  -- What the identity provider wants to see again when its user signs out there: the ID token of the sign-in, sealed.
  sealed_id_token bytea
);
create index user_sessions_by_user on user_sessions (user_id, created_at desc);
create index user_sessions_by_use on user_sessions (last_used_at);

-- How users prove who they are. A passkey is a public key: its private half never leaves the user's device.
create table user_passkeys (
  id uuid primary key,
  user_id uuid not null references users,
  credential_id text not null constraint user_passkeys_credential_id unique check (length(credential_id) <= 1400),
  public_key bytea not null,
  -- Counts the uses, if the device does. A lower number than before means that the key was copied.
  counter bigint not null,
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz(3) not null, last_used_at timestamptz(3)
);
create index user_passkeys_by_user on user_passkeys (user_id, created_at desc);

-- A password counts only together with a code of the user's authenticator app.
create table user_passwords (
  user_id uuid primary key references users,
  -- Argon2id with its parameters.
  hash text not null,
  -- The secret of the authenticator app, sealed.
  sealed_authenticator bytea not null,
  -- The time step of the last code that was used. No code counts twice.
  last_step bigint not null,
  changed_at timestamptz(3) not null
);

-- The last four passwords of each user, hashed, also after the password was taken away: none may be chosen again (PCI DSS 8.3.7).
create table user_former_passwords (
  user_id uuid not null references users,
  hash text not null, created_at timestamptz(3) not null,
  primary key (user_id, hash)
);

-- For users who have lost their authenticator app. Each counts once, in the place of a code.
create table user_recovery_codes (
  user_id uuid not null references users,
  code_mac bytea not null,
  primary key (user_id, code_mac)
);

-- Failed sign-ins by a keyed hash of the e-mail address, whether or not a user has it: both get the same answers.
create table user_lock_outs (
  email_mac bytea primary key,
  failures integer not null check (failures >= 0),
  failed_at timestamptz(3) not null, locked_until timestamptz(3)
);
create index user_lock_outs_by_age on user_lock_outs (failed_at);

-- Questions that a browser has yet to answer. Each is deleted by the answer, so no answer counts twice.
create table user_challenges (
  id uuid primary key,
  purpose text not null check (purpose in ('enrol', 'sign-in', 'add-passkey', 'prove', 'oidc', 'new-app')),
  user_id uuid references users,
  -- For an enrolment: the link that it is for.
  link_id uuid,
  challenge text not null,
  -- For an enrolment: the secret of an authenticator app, sealed.
  sealed_authenticator bytea,
  expires_at timestamptz(3) not null, created_at timestamptz(3) not null
);
create index user_challenges_by_end on user_challenges (expires_at);

-- Links for people who cannot sign in yet: the first user, an invited one, and one who has lost all keys. Only a keyed
-- hash of the token is kept.
create table user_links (
  id uuid primary key,
  purpose text not null check (purpose in ('setup', 'invitation', 'reset')),
  user_id uuid references users,
  token_mac bytea not null constraint user_links_token_mac unique,
  expires_at timestamptz(3) not null, created_at timestamptz(3) not null,
  check ((user_id is null) = (purpose = 'setup'))
);
-- A newer link takes the place of an older one.
create unique index user_links_one_per_user on user_links (coalesce(user_id, '00000000-0000-0000-0000-000000000000'));

-- Users who sign in at an identity provider (OpenID Connect). The provider names them by issuer and subject, which never change; an
-- e-mail address may. A user has one identity, so that two people never share a user.
create table user_identities (
  user_id uuid primary key references users,
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  created_at timestamptz(3) not null,
  constraint user_identities_subject unique (issuer, subject)
);

-- Money that users have moved while their last proof of who they are was old: the sum of the last hour is limited.
create table user_money_moves (
  user_id uuid not null references users,
  moved_at timestamptz(3) not null,
  -- In the smallest unit of its currency.
  amount bigint not null check (amount >= 0),
  id uuid primary key default gen_random_uuid()
);
create index user_money_moves_by_user on user_money_moves (user_id, moved_at);

-- Lists as users like to see them: filters and columns, under a name.
create table saved_views (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  user_id uuid not null references users,
  -- The list, by the first part of its path.
  resource text not null check (resource ~ '^[a-z-]{1,50}$'),
  name text not null check (length(name) between 1 and 100),
  query jsonb not null check (jsonb_typeof(query) = 'object' and octet_length(query::text) <= 16384),
  -- In their order. Empty: as the page shows them by itself.
  columns text[] not null check (cardinality(columns) <= 50),
  -- Whether all users of the account see it.
  is_shared boolean not null,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  -- Periods of a saved view that move with the time, such as the last seven days, by the name of the date.
  periods jsonb not null default '{}' check (jsonb_typeof(periods) = 'object' and octet_length(periods::text) <= 2048)
);
create unique index saved_views_name on saved_views (user_id, merchant_account_id, resource, lower(name));
create index saved_views_by_account on saved_views (merchant_account_id, created_at desc, id desc);

-- == The audit log

create table audit_logs (
  id uuid primary key,
  -- Null for what concerns the whole installation.
  merchant_account_id text,
  action text not null check (action in ('created', 'updated', 'deleted', 'voided', 'canceled', 'captured', 'revealed')),
  resource_type text not null, resource_id text not null, resource_name text not null, actor_id uuid, actor_name text not null,
  request_id text, created_at timestamptz(3) not null
);
-- The newest entry has to be the last of an index. In front of all others, as in an index `desc`, it splits every page in the
-- middle: twice the size, and half a page in the log each time. Lists walk these backwards.
create index audit_logs_of_account on audit_logs (merchant_account_id, created_at, id) where action <> 'revealed';
create index audit_logs_of_action on audit_logs (merchant_account_id, action, created_at, id) where action <> 'revealed';
create index audit_logs_of_actor on audit_logs (merchant_account_id, actor_id, created_at, id) where action <> 'revealed';
create index audit_logs_of_resource_type on audit_logs (merchant_account_id, resource_type, created_at, id) where action <> 'revealed';
create index audit_logs_of_all_accounts on audit_logs (created_at, id) where action <> 'revealed' and created_at > '-infinity';
-- Entries that name a buyer, with those about shipping details. Payments add none to it.
create index audit_logs_of_buyers on audit_logs (resource_id)
  where resource_type in ('buyer', 'buyer-shipping-details', 'payment-method', 'gift-card');
-- Entries about everything but payments, which would bury them. Payments add none to it.
create index audit_logs_of_configuration on audit_logs (merchant_account_id, created_at, id)
  where action <> 'revealed' and resource_type not in
    ('transaction', 'refund', 'payout', 'payment-link', 'checkout-session', 'checkout-page', 'chargeback-answer', 'payment-service-token', 'network-token', 'gift-card-issuance', 'gift-card-activation', 'buyer-erasure', 'buyer', 'buyer-shipping-details', 'payment-method', 'gift-card');

-- Entries of the audit log that no link covers yet. An entry and its row here are written together. Sealing removes the
-- row and leaves the entry as it is.
create table audit_waiting (
  id uuid primary key,
  -- A keyed code: an entry that was put there by hand has none that fits, and is not sealed.
  code bytea not null
);

create table audit_seals (
  position bigint primary key,
  hash bytea not null, sealed_at timestamptz(3) not null,
  -- A link whose entries had names taken out: what its hash covers, and a keyed proof of what the entries say since.
  entries_digest bytea,
  redaction bytea,
  -- The entries of the link, the smallest id first.
  entry_ids uuid[] not null check (cardinality(entry_ids) > 0),
  constraint audit_seals_redaction check ((entries_digest is null) = (redaction is null))
);
-- The link of an entry begins with an entry that is not newer.
create index audit_seals_by_first_entry on audit_seals ((entry_ids[1]));

-- Links of the audit log that were moved to files, oldest first. The chain in the database goes on from the newest of them.
create table audit_archives (
  id uuid primary key,
  -- When the newest entry of each of its links was made, such as 2026-01.
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- As those of archives: writing, archived, restored, abandoned.
  state text not null check (state in ('writing', 'archived', 'restored', 'abandoned')),
  file text not null unique check (file ~ '^[a-zA-Z0-9.-]{1,150}$'),
  stored_in text not null,
  first_position bigint not null check (first_position > 0),
  last_position bigint not null check (last_position >= first_position),
  last_hash bytea not null check (octet_length(last_hash) = 32),
  entries integer not null check (entries > 0),
  -- The API key pairs and merchant accounts whose creation is recorded in the file. The check of the chain misses no other.
  told text[] not null,
  -- Of the file as it is on the disk.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint check (size > 0),
  -- A keyed hash of the row: only the service can say that links are in a file.
  proof bytea check (octet_length(proof) = 32),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  check ((state in ('archived', 'restored')) = (sha256 is not null)),
  check ((sha256 is null) = (size is null) and (sha256 is null) = (proof is null))
);
-- A link is in one file.
create unique index audit_archives_by_first on audit_archives (first_position) where state = 'archived';
create unique index audit_archives_by_last on audit_archives (last_position) where state = 'archived';

-- == Requests

create table idempotency_keys (
  owner text not null, method text not null, path text not null, key text not null, request_mac bytea not null, fence integer not null,
  leased_until timestamptz(3) not null, status smallint, response bytea, created_at timestamptz(3) not null,
  -- What a request had committed when its process died. Whoever takes the key over goes on from there.
  begun text,
  -- An answer that holds a secret is kept whole for ten minutes. Then the answer without the secret takes its place.
  lasting_response bytea,
  whole_until timestamptz(3),
  primary key (owner, method, path, key)
);
create domain idempotency_keys_rules as idempotency_keys
  constraint idempotency_keys_key_check check (length((value).key) between 1 and 255)
  constraint idempotency_keys_check check (((value).status is null) = ((value).response is null))
  constraint idempotency_keys_lasting check (
    ((value).lasting_response is null) = ((value).whole_until is null)
    and ((value).lasting_response is null or (value).response is not null));
alter table idempotency_keys add constraint idempotency_keys_rules check (idempotency_keys::idempotency_keys_rules is distinct from null);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_by_secret on idempotency_keys (whole_until) where whole_until is not null;

-- The shape rate-limiter-flexible expects.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0, expire bigint
);

-- What was asked of the API, and how it was answered: no bodies, no query, no headers. Removed after 7 days.
create table api_logs (
  -- Empty for requests about the whole installation, and those whose caller is not known.
  merchant_account_id text not null,
  -- Begins with the time of the request.
  id uuid not null,
  request_id text not null, method text not null, path text not null, operation_id text not null,
  status smallint not null check (status between 100 and 599),
  -- Few requests fail, so the index of those that do is short.
  failure text generated always as (case when status >= 500 then '5xx' when status >= 400 then '4xx' end) stored,
  duration_ms integer not null check (duration_ms >= 0),
  -- Null: the request had no valid token, or needs none.
  caller_type text check (caller_type in ('api-key-pair', 'user')),
  caller_id uuid, caller_name text, has_idempotency_key boolean not null,
  -- Why it was refused. Not jsonb: nothing looks into it, and writing is cheaper.
  error json check (octet_length(error::text) <= 65536),
  primary key (merchant_account_id, id),
  check ((caller_type is null) = (caller_id is null) and (caller_id is null) = (caller_name is null)),
  check (error is null or status >= 400)
);
create index api_logs_by_request on api_logs (merchant_account_id, request_id, id);
create index api_logs_by_caller on api_logs (merchant_account_id, caller_id, id) where caller_id is not null;
create index api_logs_by_failure on api_logs (merchant_account_id, failure, id) where failure is not null;

-- == Buyers

create table buyers (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  -- What a search looks at, in lower case: a line each for display name, e-mail address and external identifier.
  search_text text not null,
  display_name text check (length(display_name) between 1 and 200),
  external_identifier text check (length(external_identifier) between 1 and 200),
  account_number text check (length(account_number) between 1 and 200),
  billing_details jsonb check (jsonb_typeof(billing_details) = 'object'),
  -- What the index below knows the buyer by. The service makes it of the search text.
  search_terms tsvector not null
);
create unique index buyers_external_identifier on buyers (merchant_account_id, external_identifier);
create index buyers_by_account on buyers (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry its condition, which is always true: for one account, the planner would sometimes
-- rather walk everybody's rows.
create index buyers_by_age on buyers (created_at desc, id desc) where created_at > '-infinity';
-- `fastupdate` would put new terms aside, for every search to read through and some unlucky write to sort in.
create index buyers_search on buyers using gin (search_terms) with (fastupdate = off);
-- Collecting statistics about it takes seconds, and the only query that asks for terms has no other plan to choose.
alter table buyers alter column search_terms set statistics 0;

create table buyer_shipping_details (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  buyer_id uuid not null references buyers on delete cascade,
  first_name text check (length(first_name) between 1 and 255),
  last_name text check (length(last_name) between 1 and 255),
  email_address text check (length(email_address) between 1 and 320),
  phone_number text,
  address jsonb check (jsonb_typeof(address) = 'object'),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);
create index buyer_shipping_details_by_age on buyer_shipping_details (buyer_id, created_at desc, id desc);

-- Which shipping details a buyer had. Events and entries of the audit log tell of them after they are deleted: an erasure looks for their ids.
create table deleted_shipping_details (
  merchant_account_id text not null references merchant_accounts,
  buyer_id uuid not null, id uuid not null,
  primary key (merchant_account_id, buyer_id, id)
);

-- Requests to erase a buyer. The row stays: it proves that the buyer was erased, and holds nothing personal.
create table buyer_erasures (
  merchant_account_id text not null references merchant_accounts,
  buyer_id uuid not null,
  id uuid not null unique,
  status text not null check (status in ('pending', 'succeeded')),
  -- What belonged to the buyer, for the steps that are still to come. Empty once all of them are done.
  payment_method_ids uuid[] not null default '{}',
  gift_card_ids uuid[] not null default '{}', shipping_details_ids uuid[] not null default '{}',
  payments integer not null default 0 check (payments >= 0),
  payment_methods integer not null default 0 check (payment_methods >= 0),
  gift_cards integer not null default 0 check (gift_cards >= 0),
  -- Since when no payment names the buyer. Reports from before may.
  payments_erased_at timestamptz(3),
  -- When the job looks at it next. Null once nothing is left to do.
  due_at timestamptz(3),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null, completed_at timestamptz(3),
  primary key (merchant_account_id, buyer_id),
  check ((status = 'succeeded') = (completed_at is not null)),
  check (status = 'succeeded' or due_at is not null)
);
create index buyer_erasures_due on buyer_erasures (due_at) where due_at is not null;

-- == Services of providers

create table payment_services (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- The connector. Connectors are code, so there is no table to refer to.
  payment_service_definition_id text not null,
  -- The connector's method, kept here so that a list can be filtered by it.
  method text not null,
  display_name text not null check (length(display_name) between 1 and 200),
  active boolean not null,
  -- The order in which services are tried, lowest first.
  position integer not null,
  status text not null check (status in ('pending', 'created', 'failed')),
  accepted_currencies text[] not null check (cardinality(accepted_currencies) > 0),
  accepted_countries text[] not null check (cardinality(accepted_countries) > 0),
  -- What the merchant entered, by key: what is no secret as it is, what is secret as the token of its place in the vault.
  fields jsonb not null check (jsonb_typeof(fields) = 'object'),
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
  reporting_fields jsonb not null check (jsonb_typeof(reporting_fields) = 'object'),
  reporting_secrets jsonb not null check (jsonb_typeof(reporting_secrets) = 'object'),
  three_d_secure_enabled boolean not null,
  merchant_profile jsonb check (jsonb_typeof(merchant_profile) = 'object'),
  payment_method_tokenization_enabled boolean not null, network_tokens_enabled boolean not null, open_loop boolean not null,
  settlement_reporting_enabled boolean not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  check (deleted_at is null or reporting_secrets = '{}')
);
create index payment_services_by_account on payment_services (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry its condition, which is always true; see buyers_by_age.
create index payment_services_by_age on payment_services (created_at desc, id desc) where created_at > '-infinity';
create index payment_services_in_use on payment_services (merchant_account_id, method, position, created_at, id)
  where active and status = 'created' and deleted_at is null;

-- What providers lend us for a while, such as access tokens, sealed. `key` is made of the service, the name and the
-- service's credentials: after a change of credentials it is another one. Times are real.
create table service_memories (
  key bytea primary key check (octet_length(key) = 32),
  service_id uuid not null,
  value bytea not null check (octet_length(value) <= 65536),
  expires_at timestamptz(3) not null
);
create index service_memories_ends on service_memories (expires_at);

create table anti_fraud_services (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- The connector. Connectors are code, so there is no table to refer to.
  anti_fraud_service_definition_id text not null,
  display_name text not null check (length(display_name) between 1 and 200),
  active boolean not null,
  -- Whether a payment that is to be reviewed is held back until somebody has decided.
  reviews_enabled boolean not null,
  -- What the merchant entered, by key: what is no secret as it is, what is secret as the token of its place in the vault.
  fields jsonb not null check (jsonb_typeof(fields) = 'object'),
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  -- A deleted service stays for the books, and its secrets for payments that had begun before.
  deleted_at timestamptz(3)
);
-- Two could disagree about a payment, so there is one to ask.
create unique index anti_fraud_services_one_active on anti_fraud_services (merchant_account_id) where active and deleted_at is null;
create index anti_fraud_services_by_account on anti_fraud_services (merchant_account_id, created_at desc, id desc) where deleted_at is null;
-- Only queries over all accounts carry the second condition, which is always true; see buyers_by_age.
create index anti_fraud_services_by_age on anti_fraud_services (created_at desc, id desc)
  where deleted_at is null and created_at > '-infinity';

create table gift_card_services (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- The connector. Connectors are code, so there is no table to refer to.
  gift_card_service_definition_id text not null,
  display_name text not null check (length(display_name) between 1 and 200),
  active boolean not null,
  -- What the merchant entered, by key: what is no secret as it is, what is secret as the token of its place in the vault.
  fields jsonb not null check (jsonb_typeof(fields) = 'object'),
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  -- A deleted service stays for the books, and its secrets while something is open there.
  deleted_at timestamptz(3)
);
-- A card does not say whose it is, so there is one service to ask.
create unique index gift_card_services_one_active on gift_card_services (merchant_account_id) where active and deleted_at is null;
create index gift_card_services_by_account on gift_card_services (merchant_account_id, created_at desc, id desc) where deleted_at is null;
-- Only queries over all accounts carry the second condition, which is always true; see buyers_by_age.
create index gift_card_services_by_age on gift_card_services (created_at desc, id desc)
  where deleted_at is null and created_at > '-infinity';

-- A merchant account's registration at a digital wallet. There is one for each provider.
create table digital_wallets (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  provider text not null check (provider in ('apple', 'google', 'click-to-pay', 'paze')),
  merchant_name text not null check (length(merchant_name) <= 1024),
  merchant_display_name text check (length(merchant_display_name) <= 1024),
  merchant_url text check (length(merchant_url) <= 2048),
  merchant_country_code text check (merchant_country_code ~ '^[A-Z]{2}$'),
  merchant_category_code text check (length(merchant_category_code) = 4),
  address jsonb check (jsonb_typeof(address) = 'object'),
  extra_configuration jsonb check (jsonb_typeof(extra_configuration) = 'object'),
  -- In small letters and in ASCII, each once.
  domain_names text[] not null check (cardinality(domain_names) <= 99),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  unique (merchant_account_id, id)
);
create unique index digital_wallets_one_per_provider on digital_wallets (merchant_account_id, provider);
create index digital_wallets_by_age on digital_wallets (created_at desc, id desc);

-- The keys of a wallet. The private half of each is in the vault.
create table digital_wallet_keys (
  id uuid primary key,
  merchant_account_id text not null, digital_wallet_id uuid not null,
  purpose text not null check (purpose in ('apple-merchant-identity', 'apple-payment-processing', 'google-payment')),
  -- SubjectPublicKeyInfo as PEM, and the SHA-256 of its DER in base64, by which Apple's tokens name their key.
  public_key text not null,
  public_key_hash text not null check (length(public_key_hash) = 44),
  private_key_token uuid not null unique,
  certificate_signing_request text, certificate text, serial_number text, merchant_identifier text, expires_at timestamptz(3),
  recipient_id text check (recipient_id ~ '^(gateway|merchant):.+$'),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  foreign key (merchant_account_id, digital_wallet_id) references digital_wallets (merchant_account_id, id),
  check ((purpose = 'google-payment') = (recipient_id is not null)),
  check (purpose <> 'google-payment' or certificate_signing_request is null and certificate is null),
  -- Without a certificate, a key of Apple Pay waits for the one that its signing request asks for.
  check (purpose = 'google-payment' or certificate_signing_request is not null or certificate is not null),
  check ((certificate is null) = (expires_at is null)),
  check ((certificate is null) = (serial_number is null)),
  check ((certificate is null) = (merchant_identifier is null))
);
create unique index digital_wallet_keys_once on digital_wallet_keys (digital_wallet_id, purpose, public_key_hash);
create index digital_wallet_keys_by_expiry on digital_wallet_keys (merchant_account_id, expires_at) where expires_at is not null;

-- Which wallet answers for a domain with Apple's file. The first one that claims a domain keeps it until it gives it up.
create table digital_wallet_domains (
  domain text primary key,
  merchant_account_id text not null, digital_wallet_id uuid not null,
  foreign key (merchant_account_id, digital_wallet_id) references digital_wallets (merchant_account_id, id) on delete cascade
);
create index digital_wallet_domains_by_wallet on digital_wallet_domains (digital_wallet_id);

-- Tokens of Apple Pay and Google Pay that have paid. Each pays once, whichever merchant account sends it.
create table used_wallet_tokens (
  -- The SHA-256 of the id that the wallet gave the token.
  digest text primary key check (digest ~ '^[0-9a-f]{64}$'),
  merchant_account_id text not null references merchant_accounts,
  transaction_id uuid not null,
  -- From then on the token itself is refused for its age, and the row can be deleted.
  expires_at timestamptz(3) not null
);
create index used_wallet_tokens_by_expiry on used_wallet_tokens (expires_at);

-- == Payment methods

-- What is known about cards by how their numbers begin. A range is kept as the fewest prefixes that make it up, because
-- the longest prefix that fits a number is found with at most eleven probes of an ordinary index; among ranges, which
-- nest, the narrowest one is not. A null says nothing: then what the number itself tells is what counts.
create table card_bins (
  prefix text collate "C" not null check (prefix ~ '^[0-9]{1,11}$'),
  -- An operator's own data wins over ours, and leaves it in place.
  source text not null check (source in ('built-in', 'imported')),
  scheme text, additional_schemes text[],
  card_type text check (card_type in ('credit', 'debit', 'prepaid')),
  issuer text check (length(issuer) between 1 and 200),
  country text check (country ~ '^[A-Z]{2}$'),
  primary key (prefix, source)
);
-- Test cards that schemes and processors publish, and the few blocks that belong to one country as a whole.
insert into card_bins (prefix, source, scheme, additional_schemes, card_type, issuer, country)
select prefix, 'built-in', scheme, additional_schemes, card_type, issuer, country
from (
  values
    ('400000', 'visa', null::text[], 'credit', 'Test Bank', 'US'),
    ('400000032', 'visa', null, 'credit', 'Test Bank', 'AR'),
    ('400000036', 'visa', null, 'credit', 'Test Bank', 'AU'),
    ('400000076', 'visa', null, 'credit', 'Test Bank', 'BR'),
    ('400000124', 'visa', null, 'credit', 'Test Bank', 'CA'),
    ('400000170', 'visa', null, 'credit', 'Test Bank', 'CO'),
    ('400000250', 'visa', '{carte-bancaire}', 'debit', 'Test Bank', 'FR'),
    ('400000276', 'visa', null, 'credit', 'Test Bank', 'DE'),
    ('400000356', 'visa', null, 'credit', 'Test Bank', 'IN'),
    ('400000392', 'visa', null, 'credit', 'Test Bank', 'JP'),
    ('400000484', 'visa', null, 'credit', 'Test Bank', 'MX'),
    ('400000724', 'visa', null, 'credit', 'Test Bank', 'ES'),
    ('400000826', 'visa', null, 'credit', 'Test Bank', 'GB'),
    ('400005', 'visa', null, 'debit', 'Test Bank', 'US'),
    ('400123', 'visa', '{star}', 'debit', 'Test Bank', 'US'),
    ('401178', 'elo', '{visa}', 'credit', null, 'BR'),
    ('401179', 'elo', '{visa}', 'credit', null, 'BR'),
    ('401288', 'visa', null, 'credit', 'Test Bank', 'US'),
    ('401795', 'visa', '{eftpos-australia}', 'debit', 'Test Bank', 'AU'),
    ('403550', 'visa', '{carte-bancaire}', 'debit', 'Test Bank', 'FR'),
    ('411111', 'visa', null, 'credit', 'Test Bank', 'US'),
    ('422222', 'visa', null, 'credit', 'Test Bank', 'US'),
    ('424242', 'visa', null, 'credit', 'Test Bank', 'US'),
    ('436000', 'carte-bancaire', null, 'debit', 'Test Bank', 'FR'),
    ('444433', 'visa', null, 'credit', 'Test Bank', 'GB'),
    ('451416', 'elo', '{visa}', 'credit', null, 'BR'),
    ('4571', 'visa', '{dankort}', 'debit', null, 'DK'),
    ('468738', 'visa', '{eftpos-australia}', 'debit', 'Test Bank', 'AU'),
    ('479658', 'visa', '{bancontact}', 'debit', null, 'BE'),
    ('487104', 'visa', '{bancontact}', 'debit', 'Test Bank', 'BE'),
    ('497010', 'visa', '{carte-bancaire}', 'debit', 'Test Bank', 'FR'),
    ('497794', 'visa', '{carte-bancaire}', 'credit', 'Test Bank', 'FR'),
    ('510510', 'mastercard', null, 'prepaid', 'Test Bank', 'US'),
    ('512788', 'mastercard', '{bancontact}', 'debit', 'Test Bank', 'BE'),
    ('513633', 'mastercard', '{carte-bancaire}', 'credit', 'Test Bank', 'FR'),
    ('520000', 'mastercard', null, 'credit', 'Test Bank', 'US'),
    ('520082', 'mastercard', null, 'debit', 'Test Bank', 'US'),
    ('545454', 'mastercard', null, 'credit', 'Test Bank', 'US'),
    ('555544', 'mastercard', null, 'credit', 'Test Bank', 'GB'),
    ('555555', 'mastercard', null, 'credit', 'Test Bank', 'US'),
    ('555555250', 'mastercard', '{carte-bancaire}', 'debit', 'Test Bank', 'FR'),
    ('222300', 'mastercard', null, 'credit', 'Test Bank', 'US'),
    ('222352', 'mastercard', null, 'debit', 'Test Bank', 'NL'),
    ('340000', 'amex', null, 'credit', 'American Express', 'US'),
    ('370000', 'amex', null, 'credit', 'American Express', 'US'),
    ('371449', 'amex', null, 'credit', 'American Express', 'US'),
    ('378282', 'amex', null, 'credit', 'American Express', 'US'),
    ('378734', 'amex', null, 'credit', 'American Express', 'US'),
    ('601100', 'discover', null, 'credit', 'Discover', 'US'),
    ('601111', 'discover', null, 'credit', 'Discover', 'US'),
    ('601198', 'discover', null, 'debit', 'Discover', 'US'),
    ('644564', 'discover', null, 'credit', 'Discover', 'US'),
    ('300000', 'diners-club', null, 'credit', 'Diners Club', 'US'),
    ('305693', 'diners-club', null, 'credit', 'Diners Club', 'US'),
    ('360066', 'diners-club', null, 'credit', 'Diners Club', 'US'),
    ('362272', 'diners-club', null, 'credit', 'Diners Club', 'US'),
    ('385200', 'diners-club', null, 'credit', 'Diners Club', 'US'),
    ('308800', 'jcb', null, 'credit', 'Test Bank', 'JP'),
    ('353011', 'jcb', null, 'credit', 'Test Bank', 'JP'),
    ('355811', 'jcb', null, 'credit', 'Test Bank', 'JP'),
    ('356600', 'jcb', null, 'credit', 'Test Bank', 'JP'),
    ('356999', 'jcb', null, 'credit', 'Test Bank', 'US'),
    ('620000', 'unionpay', null, 'credit', 'Test Bank', 'CN'),
    ('624303', 'unionpay', null, 'credit', 'Test Bank', 'CN'),
    ('6250946', 'unionpay', null, 'debit', 'Test Bank', 'CN'),
    ('6250947', 'unionpay', null, 'credit', 'Test Bank', 'CN'),
    ('817199', 'unionpay', null, 'credit', 'Test Bank', 'CN'),
    ('500055', 'maestro', null, 'debit', 'Test Bank', 'NL'),
    ('630400', 'maestro', '{cirrus}', 'debit', 'Test Bank', 'IE'),
    ('675964', 'maestro', '{cirrus}', 'debit', 'Test Bank', 'GB'),
    ('677183', 'maestro', null, 'debit', 'Test Bank', 'DE'),
    ('679999', 'maestro', null, 'debit', 'Test Bank', 'NL'),
    ('506699', 'elo', null, 'credit', 'Test Bank', 'BR'),
    ('509', 'elo', null, null, null, 'BR'),
    ('636297', 'elo', null, 'credit', 'Test Bank', 'BR'),
    ('636368', 'elo', null, 'credit', 'Test Bank', 'BR'),
    ('606282', 'hipercard', null, 'credit', 'Hipercard', 'BR'),
    ('637095', 'hipercard', null, 'credit', 'Hipercard', 'BR'),
    ('2200', 'mir', null, 'debit', null, 'RU'),
    ('508500', 'rupay', null, 'debit', 'Test Bank', 'IN'),
    ('606985', 'rupay', null, 'debit', 'Test Bank', 'IN'),
    ('608001', 'rupay', null, 'credit', 'Test Bank', 'IN'),
    ('652150', 'rupay', null, 'debit', 'Test Bank', 'IN'),
    ('817200', 'rupay', null, 'debit', 'Test Bank', 'IN'),
    ('5019', 'dankort', null, 'debit', null, 'DK'),
    ('501767', 'carte-bancaire', null, 'debit', 'Test Bank', 'FR'),
    ('6703', 'bancontact', '{maestro}', 'debit', null, 'BE'),
    ('135410', 'uatp', null, 'credit', 'Test Airline', 'US'),
    ('135412', 'uatp', null, 'credit', 'Test Airline', 'GB'),
    ('500853', 'star', null, 'debit', 'Test Bank', 'US'),
    ('501565', 'nyce', null, 'debit', 'Test Bank', 'US'),
    ('602987', 'pulse', null, 'debit', 'Test Bank', 'US')
) as known (prefix, scheme, additional_schemes, card_type, issuer, country);

create table payment_methods (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  method text not null, mode text not null, status text not null,
  buyer_id uuid references buyers on delete set null,
  external_identifier text, label text, country text, currency text, approval_url text, approval_target text, scheme text,
  additional_schemes text[], expiration_date text,
  -- The first day on which the card is no longer valid, so that a job finds the cards that have expired.
  expires_on date,
  fingerprint text, bin text, card_type text, card_issuer_name text, card_country text,
  -- Where the vault keeps the number. Null once the method is deleted: the number is gone, the row stays for the books.
  vault_token uuid,
  -- What the account updater found and has not been applied yet: a new date, and what is known of a new number. The
  -- number itself is in the vault.
  replacement jsonb,
  last_replaced_at timestamptz(3), scheme_transaction_id text, scheme_transaction_id_scheme text, transaction_link_id text,
  usage_count integer not null default 0, last_used_at timestamptz(3), cit_usage_count integer not null default 0,
  cit_last_used_at timestamptz(3), created_at timestamptz(3) not null, updated_at timestamptz(3) not null, deleted_at timestamptz(3),
  -- The scheme's name of the account behind a card, the same for its number and all of its tokens.
  payment_account_reference text,
  -- The last digits and the date of the number in the vault, if a token's service has told of a newer card. `label` and
  -- `expiration_date` show the newer one.
  number_label text,
  number_expiration_date text,
  -- Bank accounts as stored payment methods. The vault keeps their numbers, and Plaid's tokens.
  bank_scheme text,
  -- The service that Plaid's token was made for. Null: any service that takes such tokens.
  payment_service_id uuid,
  constraint payment_service_exists foreign key (payment_service_id) references payment_services
);
create domain payment_methods_rules as payment_methods
  constraint payment_methods_status_check check ((value).status in ('processing', 'buyer_approval_required', 'succeeded', 'failed'))
  constraint payment_methods_external_identifier_check check (length((value).external_identifier) between 1 and 200)
  constraint payment_methods_approval_target_check check ((value).approval_target in ('any', 'new_window'))
  constraint payment_methods_expiration_date_check check ((value).expiration_date ~ '^(0[1-9]|1[0-2])/[0-9]{2}$')
  constraint payment_methods_card_type_check check ((value).card_type in ('credit', 'debit', 'prepaid'))
  constraint payment_methods_check check ((value).deleted_at is null or ((value).vault_token is null and (value).replacement is null))
  constraint bank_schemes check ((value).bank_scheme in ('ach', 'bacs', 'sepa'))
  constraint bank_scheme_of_bank_accounts check (((value).bank_scheme is not null) = ((value).method = 'bank'))
  constraint payment_service_of_plaid_tokens check ((value).payment_service_id is null or (value).method = 'plaid')
  constraint bank_mode check (((value).mode = 'bank') = ((value).method in ('bank', 'plaid')))
  constraint bank_accounts_are_no_cards check (
    (value).mode <> 'bank'
    or ((value).scheme is null and (value).bin is null and (value).expiration_date is null and (value).replacement is null))
  constraint bank_accounts_are_sealed check ((value).mode <> 'bank' or (value).deleted_at is not null or (value).vault_token is not null);
alter table payment_methods add constraint payment_methods_rules check (payment_methods::payment_methods_rules is distinct from null);
create unique index payment_methods_external_identifier
  on payment_methods (merchant_account_id, external_identifier) where deleted_at is null;
create index payment_methods_by_account on payment_methods (merchant_account_id, created_at desc, id desc) where deleted_at is null;
create index payment_methods_by_status on payment_methods (status, merchant_account_id, created_at desc, id desc) where deleted_at is null;
-- For lists over all accounts. Every row meets the second condition; who does not ask for it cannot use these, as the
-- list of one account must not: to find its few rows among everybody's would take as long as there are rows.
create index payment_methods_by_age on payment_methods (created_at desc, id desc) where deleted_at is null and created_at > '-infinity';
create index payment_methods_by_status_and_age on payment_methods (status, created_at desc, id desc)
  where deleted_at is null and created_at < 'infinity';
create index payment_methods_by_buyer on payment_methods (buyer_id, created_at desc, id desc) where buyer_id is not null;
create index payment_methods_with_replacement on payment_methods (expires_on) where replacement is not null;

-- Each use is a row of its own, so that a method used many times at once is not a row that everybody waits for. A job
-- adds them up. No reference to the method: checking it would lock that very row.
create table payment_method_uses (
  id uuid primary key,
  payment_method_id uuid not null, used_at timestamptz(3) not null, is_client_initiated boolean not null
);
create index payment_method_uses_by_method on payment_method_uses (payment_method_id);

-- The tokens that payment services give for stored payment methods. The vault keeps the tokens themselves. A row shares its
-- id with the attempt that asks for the token.
create table payment_service_tokens (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  payment_method_id uuid not null references payment_methods,
  payment_service_id uuid not null references payment_services,
  status text not null check (status in ('processing', 'buyer_approval_required', 'succeeded', 'failed')),
  -- The token by which its payment method was stored. The method has the status of this token.
  is_first boolean not null default false,
  -- Where the buyer returns after an approval.
  redirect_url text not null,
  approval_url text, approval_expires_at timestamptz(3),
  -- Kept until the provider has deleted the token, too.
  vault_token uuid,
  error_code text, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, deleted_at timestamptz(3),
  given_up_at timestamptz(3),
  constraint succeeded_with_token check (status <> 'succeeded' or deleted_at is not null or vault_token is not null),
  constraint approval_has_an_end check ((approval_url is null) = (approval_expires_at is null)),
  constraint approval_only_while_asked check (approval_url is null or status = 'buyer_approval_required'),
  constraint payment_service_tokens_given_up check (given_up_at is null or deleted_at is not null)
);
-- One token of a method at each service. A failed one can be asked for again.
create unique index payment_service_tokens_one_at_a_service on payment_service_tokens (payment_method_id, payment_service_id)
  where deleted_at is null and status <> 'failed';
create index payment_service_tokens_by_method on payment_service_tokens (payment_method_id, created_at desc, id desc)
  where deleted_at is null;
create index payment_service_tokens_to_expire on payment_service_tokens (approval_expires_at) where approval_expires_at is not null;
-- For the job that removes the secrets of deleted services: whether a service has tokens that may have to be deleted there.
create index payment_service_tokens_at_service on payment_service_tokens (payment_service_id) where vault_token is not null;
create index payment_service_tokens_given_up_at on payment_service_tokens (given_up_at) where given_up_at is not null;

-- A token that stands in for a stored card's number at its scheme. The token's own number is in the vault. What is asked
-- of the token service is in `attempts`: their subject is the token.
create table network_tokens (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  payment_method_id uuid not null references payment_methods,
  scheme text not null check (scheme in ('visa', 'amex', 'mastercard', 'discover')),
  -- The merchant's ids at the service when the token was asked for. The service knows the token under these, also after the
  -- merchant account has got others.
  requestor_id text not null,
  app_id text not null,
  -- `provisioning` until the service has answered, `failed` if it has made none. Neither is shown.
  status text not null check (status in ('provisioning', 'inactive', 'active', 'suspended', 'deleted', 'failed')),
  -- What the service is being asked to do with it. Meanwhile the token is not used.
  operation text check (operation in ('suspend', 'resume')),
  merchant_initiated boolean not null, is_subsequent_payment boolean not null,
  -- The payment that stored the card, whose history tells how the provisioning ended.
  transaction_id uuid,
  -- The service's own id of the token.
  reference text,
  vault_token uuid, fingerprint text,
  label text check (label ~ '^[0-9]{4}$'),
  expiration_date text check (expiration_date ~ '^(0[1-9]|1[0-2])/[0-9]{2}$'),
  error_code text,
  -- When a payment with it was first approved. Later ones that the merchant initiates need no cryptogram.
  first_used_at timestamptz(3),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  -- When we gave up asking a provider to delete a deleted token, which it may therefore still have.
  given_up_at timestamptz(3),
  constraint network_tokens_number check (
    (status in ('inactive', 'active', 'suspended')) = (vault_token is not null)
    and (vault_token is null or (reference is not null and fingerprint is not null))
  ),
  constraint network_tokens_shown check (
    status in ('provisioning', 'failed', 'deleted') or (label is not null and expiration_date is not null)
  ),
  constraint network_tokens_operation check (operation is null or status in ('active', 'suspended')),
  constraint network_tokens_error check ((status = 'failed') = (error_code is not null)),
  constraint network_tokens_given_up check (given_up_at is null or status = 'deleted')
);
-- A card has one token at a time, however often it is asked for.
create unique index network_tokens_one_live on network_tokens (payment_method_id) where status not in ('deleted', 'failed');
create index network_tokens_by_method on network_tokens (payment_method_id, created_at desc, id desc);
-- Few tokens are given up, and the doctor counts them.
create index network_tokens_given_up_at on network_tokens (given_up_at) where given_up_at is not null;

create table account_updater_jobs (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);

create table account_updater_inquiries (
  id uuid primary key,
  job_id uuid not null references account_updater_jobs,
  merchant_account_id text not null,
  payment_method_id uuid not null references payment_methods,
  status text not null check (status in ('pending', 'updated', 'unchanged', 'closed', 'failed')),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);
create unique index account_updater_inquiries_one_open on account_updater_inquiries (payment_method_id) where status = 'pending';
create index account_updater_inquiries_by_job on account_updater_inquiries (job_id);

-- == Checkout

-- An order while it is being paid for, and what the buyer's browser entered to pay for it. Rows go a week after they
-- expired; whoever refers to one keeps its id only.
-- No references: checking one would lock a row that all sessions of an account share. Accounts are never deleted, and
-- stored methods keep their rows.
create table checkout_sessions (
  id uuid primary key,
  merchant_account_id text not null, cart_items jsonb, metadata jsonb, buyer jsonb, airline jsonb, amount integer, currency text,
  country text, payment_service_id uuid, intent text, payment_source text, merchant_initiated boolean, is_subsequent_payment boolean,
  expires_at timestamptz(3) not null,
  -- From here on: what was entered. All of it is null until then, and again when it is forgotten.
  method text,
  payment_method_id uuid,
  -- Where the vault keeps the number and the security code. The code is kept for minutes only.
  number_token uuid,
  security_code_token uuid, security_code_expires_at timestamptz(3), label text, scheme text, additional_schemes text[],
  expiration_date text, fingerprint text, bin text, card_type text, card_issuer_name text, card_country text, click_to_pay jsonb,
  postal_code text,
  -- The payment under way, or the one that has paid for it. While there is one, nothing else can be entered.
  transaction_id uuid,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);
create domain checkout_sessions_rules as checkout_sessions
  constraint checkout_sessions_amount_check check ((value).amount between 0 and 99999999)
  constraint checkout_sessions_currency_check check ((value).currency ~ '^[A-Z]{3}$')
  constraint checkout_sessions_country_check check ((value).country ~ '^[A-Z]{2}$')
  constraint checkout_sessions_intent_check check ((value).intent in ('authorize', 'capture'))
  constraint checkout_sessions_payment_source_check check (
    (value).payment_source in ('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file'))
  constraint checkout_sessions_method_check check ((value).method in ('card', 'id', 'click-to-pay'))
  constraint checkout_sessions_expiration_date_check check ((value).expiration_date ~ '^(0[1-9]|1[0-2])/[0-9]{2}$')
  constraint checkout_sessions_card_type_check check ((value).card_type in ('credit', 'debit', 'prepaid'))
  constraint checkout_sessions_postal_code_check check (length((value).postal_code) between 1 and 50)
  constraint checkout_sessions_check check (((value).security_code_token is null) = ((value).security_code_expires_at is null))
  constraint checkout_sessions_check1 check (((value).number_token is not null) = (coalesce((value).method, '') = 'card'))
  constraint checkout_sessions_check2 check (((value).payment_method_id is not null) = (coalesce((value).method, '') = 'id'));
alter table checkout_sessions add constraint checkout_sessions_rules check (checkout_sessions::checkout_sessions_rules is distinct from null);
create index checkout_sessions_by_expiry on checkout_sessions (expires_at);
create index checkout_sessions_with_something_entered on checkout_sessions (expires_at) where method is not null;
create index checkout_sessions_with_code on checkout_sessions (security_code_expires_at) where security_code_token is not null;

-- The page of ours on which a buyer pays a checkout session. It goes with its session.
create table checkout_pages (
  session_id uuid primary key references checkout_sessions on delete cascade,
  merchant_account_id text not null references merchant_accounts,
  locale text, return_url text,
  external_identifier text check (length(external_identifier) between 1 and 200),
  store text not null default 'never' check (store in ('never', 'ask', 'always')),
  ask_security_code boolean not null default true, allowed_origins text[] not null default '{}',
  -- How many payments were tried. A form names the number that it was made with, so sending it twice pays once.
  tries integer not null default 0 check (tries >= 0),
  -- The latest payment, and SHA-256 of the secret of the browser that made it.
  last_transaction_id uuid,
  last_attempt text check (last_attempt ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  check ((last_transaction_id is null) = (last_attempt is null))
);

-- == Payments

-- One row for each payment. It is narrow, and no index on it mentions a column that changes with the payment's
-- progress, so that such a change touches the row and nothing else.
-- The id is a UUIDv7: it holds the time of creation and gives the order of every list.
-- No reference to merchant_accounts: checking it would lock one row for all payments of an account, and accounts are
-- never deleted.
create table transactions (
  merchant_account_id text not null, id uuid not null, intent text not null, amount integer not null, currency text not null,
  country text, method text, payment_source text not null, merchant_initiated boolean not null, is_subsequent_payment boolean not null,
  has_gift_card_redemptions boolean not null default false, external_identifier text, buyer_id uuid, buyer_external_identifier text,
  buyer_email_address text, ip_address inet, checkout_session_id uuid, payment_link_id uuid, payment_method_id uuid,
  payment_method_label text, payment_method_scheme text, payment_method_country text, payment_method_fingerprint text,
  payment_method_bin text, reauthorized_from_transaction_id uuid,
  -- The service that was asked last. It changes only when a payment goes on to another one.
  payment_service_id uuid,
  -- From here on: what changes. Not in any index.
  status text not null,
  authorized_amount integer not null default 0,
  -- What captures may reach: what was authorized, and what over-capture adds to it.
  capture_limit integer not null default 0,
  captured_amount integer not null default 0,
  -- Captures and refunds on their way. They count against the limits from the moment they are sent.
  capturing_amount integer not null default 0,
  refunded_amount integer not null default 0, refunding_amount integer not null default 0,
  -- A final capture was made or is on its way: none may follow.
  is_capture_final boolean not null default false,
  pending_review boolean not null default false, disputed boolean not null default false, error_code text,
  payment_service_transaction_id text,
  -- What the provider and the 3-D Secure server said, and when things happened.
  outcome jsonb not null default '{}',
  updated_at timestamptz(3) not null,
  -- What gift cards pay of the amount.
  gift_card_amount integer not null default 0,
  has_gift_card_refunds boolean not null default false,
  -- What is left of a hold after a capture and was given up. It counts from the moment that the provider is asked, so that
  -- no capture can take it meanwhile; a refusal sets it back to zero.
  released_amount integer not null default 0,
  -- What has arrived of a payment and of a refund: the sum of their settlements. Not in any index.
  settled_amount bigint not null default 0,
  settled_currency text,
  -- What was refunded of captures that failed later. It stays in captured_amount, so that refunds never exceed captures.
  uncollected_amount integer not null default 0,
  primary key (merchant_account_id, id)
) with (fillfactor = 90);
-- The rules of payments are those of a domain over the row. PostgreSQL reads the checks of a table anew for every statement
-- that writes to it, but those of a domain once for each connection.
create domain transactions_rules as transactions
  constraint transactions_intent_check check ((value).intent in ('authorize', 'capture'))
  constraint transactions_amount_check check ((value).amount between 0 and 99999999)
  constraint transactions_currency_check check ((value).currency ~ '^[A-Z]{3}$')
  constraint transactions_payment_source_check check (
    (value).payment_source in ('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file'))
  constraint transactions_status_check check (
    (value).status in (
      'processing', 'buyer_approval_pending', 'authorization_succeeded', 'authorization_declined',
      'authorization_failed', 'authorization_voided', 'authorization_void_pending', 'capture_pending',
      'capture_succeeded'))
  constraint transactions_authorized_amount_check check ((value).authorized_amount >= 0)
  constraint transactions_capture_limit_check check ((value).capture_limit >= 0)
  constraint transactions_captured_amount_check check ((value).captured_amount >= 0)
  constraint transactions_capturing_amount_check check ((value).capturing_amount >= 0)
  constraint transactions_refunded_amount_check check ((value).refunded_amount >= 0)
  constraint transactions_refunding_amount_check check ((value).refunding_amount >= 0)
  constraint transactions_gift_card_amount_check check ((value).gift_card_amount between 0 and 99999999)
  constraint gift_cards_within_amount check ((value).gift_card_amount <= (value).amount)
  constraint captured_within_limit check (
    (value).captured_amount - (value).uncollected_amount + (value).capturing_amount <= (value).capture_limit)
  constraint released_within_limit check (
    (value).released_amount >= 0
    and (value).captured_amount - (value).uncollected_amount + (value).capturing_amount + (value).released_amount
      <= (value).capture_limit)
  constraint refunded_within_captured check ((value).refunded_amount + (value).refunding_amount <= (value).captured_amount)
  constraint uncollected_within_refunded check (
    (value).uncollected_amount >= 0
    and (value).uncollected_amount <= (value).refunded_amount + (value).refunding_amount)
  constraint voided_or_captured check (
    (value).status not in ('authorization_voided', 'authorization_void_pending')
    or (value).captured_amount + (value).capturing_amount = 0)
  constraint settled_in_a_currency check (coalesce((value).settled_currency ~ '^[A-Z]{3}$', (value).settled_amount = 0));
alter table transactions add constraint transactions_rules check (transactions::transactions_rules is distinct from null);
-- One index for each filter of the transaction list on a column that does not change with the payment's progress. All
-- end with the id, which is the order of the list: whatever is asked for, the next page is the next entries of an
-- index. What changes is found through transaction_marks and transaction_updates, whose keys look the same.
create index transactions_by_external_identifier on transactions (merchant_account_id, external_identifier, id)
  where external_identifier is not null;
create index transactions_by_buyer on transactions (merchant_account_id, buyer_id, id) where buyer_id is not null;
create index transactions_by_buyer_external_identifier
  on transactions (merchant_account_id, buyer_external_identifier, id) where buyer_external_identifier is not null;
create index transactions_by_buyer_email_address on transactions (merchant_account_id, buyer_email_address, id)
  where buyer_email_address is not null;
create index transactions_by_ip_address on transactions (merchant_account_id, ip_address, id) where ip_address is not null;
create index transactions_by_checkout_session on transactions (merchant_account_id, checkout_session_id, id)
  where checkout_session_id is not null;
create index transactions_by_payment_link on transactions (merchant_account_id, payment_link_id, id) where payment_link_id is not null;
create index transactions_by_reauthorized on transactions (merchant_account_id, reauthorized_from_transaction_id, id)
  where reauthorized_from_transaction_id is not null;
create index transactions_by_payment_method on transactions (merchant_account_id, payment_method_id, id)
  where payment_method_id is not null;
create index transactions_by_fingerprint on transactions (merchant_account_id, payment_method_fingerprint, id)
  where payment_method_fingerprint is not null;
create index transactions_by_label on transactions (merchant_account_id, payment_method_label, id) where payment_method_label is not null;
create index transactions_by_bin on transactions (merchant_account_id, payment_method_bin, id) where payment_method_bin is not null;
create index transactions_by_amount on transactions (merchant_account_id, amount, id);
create index transactions_by_payment_service on transactions (merchant_account_id, payment_service_id, id)
  where payment_service_id is not null;
create index transactions_by_payment_method_country on transactions (merchant_account_id, payment_method_country, id)
  where payment_method_country is not null;
create index transactions_by_scheme on transactions (merchant_account_id, payment_method_scheme, id)
  where payment_method_scheme is not null;
create index transactions_by_country on transactions (merchant_account_id, country, id) where country is not null;
create index transactions_by_currency on transactions (merchant_account_id, currency, id);
create index transactions_by_method on transactions (merchant_account_id, method, id) where method is not null;
create index transactions_by_payment_source on transactions (merchant_account_id, payment_source, id);
-- Most payments are none of these, and what is false is found along the list: only the true ones have an entry.
create index transactions_with_gift_cards
  on transactions (merchant_account_id, has_gift_card_redemptions, id) where has_gift_card_redemptions;
create index transactions_merchant_initiated on transactions (merchant_account_id, merchant_initiated, id) where merchant_initiated;
create index transactions_subsequent on transactions (merchant_account_id, is_subsequent_payment, id) where is_subsequent_payment;
-- At most one payment of a link is under way or has paid, whatever the code does. Both are checked at the end of the
-- transaction, because payment and link are written in either order.
create function refuse_payment_without_its_link() returns trigger language plpgsql as $$
begin
  if exists (
    select from payment_links as link
    where link.merchant_account_id = new.merchant_account_id and link.id = new.payment_link_id
      and link.transaction_id is distinct from new.id
  ) then
    raise check_violation using message = 'a payment of a payment link does not hold the link';
  end if;
  return null;
end $$;
create constraint trigger payment_holds_its_link after insert on transactions
  deferrable initially deferred for each row
  when (new.payment_link_id is not null and new.status in ('processing', 'buyer_approval_pending'))
  execute function refuse_payment_without_its_link();

-- What was asked for, and whom it concerns: wide, written once, read with the row.
create table transaction_documents (
  merchant_account_id text not null, id uuid not null, document jsonb not null,
  primary key (merchant_account_id, id)
);

-- Facts that change, or of which a payment has several: its status, its error, its metadata. One row for each.
create table transaction_marks (
  merchant_account_id text not null, mark text not null, id uuid not null,
  primary key (merchant_account_id, mark, id)
) with (fillfactor = 90);

create table transaction_updates (
  merchant_account_id text not null, id uuid not null, updated_at timestamptz(3) not null,
  primary key (merchant_account_id, id)
) with (fillfactor = 90);
create index transaction_updates_by_time on transaction_updates (merchant_account_id, updated_at, id);

-- A card that is needed again before the payment is decided: to be stored once it is approved, or until the buyer has
-- approved. Number and code are in the vault; the row goes, and they with it, when the payment is decided. Of a card that
-- is stored already, only the code is kept.
create table transaction_cards (
  merchant_account_id text not null, transaction_id uuid not null, number_token uuid, security_code_token uuid, card jsonb,
  -- Null: it is not to be stored.
  store jsonb,
  primary key (merchant_account_id, transaction_id),
  check ((number_token is null) = (card is null)),
  check (number_token is not null or security_code_token is not null)
);

create table transaction_captures (
  merchant_account_id text not null, transaction_id uuid not null, id uuid not null,
  amount integer not null check (amount between 0 and 99999999),
  is_final boolean not null,
  status text not null check (status in ('pending', 'succeeded', 'declined', 'failed')),
  external_identifier text, payment_service_capture_id text, error_code text, outcome jsonb not null default '{}',
  details jsonb not null default '{}', captured_at timestamptz(3), updated_at timestamptz(3) not null,
  primary key (merchant_account_id, transaction_id, id),
  foreign key (merchant_account_id, transaction_id) references transactions (merchant_account_id, id)
);
create unique index transaction_captures_one_final on transaction_captures (merchant_account_id, transaction_id)
  where is_final and status in ('pending', 'succeeded');

create table refunds (
  merchant_account_id text not null, id uuid not null, transaction_id uuid not null, payment_service_id uuid, status text not null,
  amount integer not null, currency text not null, target_type text not null, target_id uuid, reason text, external_identifier text,
  payment_service_refund_id text, error_code text, outcome jsonb not null default '{}', creator_id uuid, creator_name text not null,
  updated_at timestamptz(3) not null, settled_amount bigint not null default 0, settled_currency text,
  -- Some providers refund a capture, not a payment. The capture is chosen before the provider is asked, so that what is left
  -- of each capture is known. Null: of a gift card, or larger than every capture's rest.
  capture_id uuid,
  -- The e-mail address of the user who made it, as it was then. Null for an API key pair, which has none.
  creator_email_address text,
  primary key (merchant_account_id, id),
  foreign key (merchant_account_id, transaction_id) references transactions (merchant_account_id, id),
  constraint refunds_capture
    foreign key (merchant_account_id, transaction_id, capture_id)
    references transaction_captures (merchant_account_id, transaction_id, id)
);
create domain refunds_rules as refunds
  constraint refunds_status_check check ((value).status in ('processing', 'succeeded', 'declined', 'failed', 'voided'))
  constraint refunds_amount_check check ((value).amount between 1 and 99999999)
  constraint refunds_target_type_check check ((value).target_type in ('payment-method', 'gift-card-redemption'))
  constraint refunds_creator_email_address_check check (length((value).creator_email_address) <= 254)
  constraint refund_settled_in_a_currency check (coalesce((value).settled_currency ~ '^[A-Z]{3}$', (value).settled_amount = 0));
alter table refunds add constraint refunds_rules check (refunds::refunds_rules is distinct from null);
create index refunds_by_transaction on refunds (merchant_account_id, transaction_id, id);
-- Refunds of all payments, by status and by the merchant's own reference. A refund changes its status once, so that its index is cheap.
create index refunds_by_status on refunds (merchant_account_id, status, id);
create index refunds_by_external_identifier on refunds (merchant_account_id, external_identifier, id) where external_identifier is not null;

-- What happened to a payment, for whoever looks into it.
create table transaction_events (
  merchant_account_id text not null, transaction_id uuid not null, id uuid not null, name text not null, context jsonb not null,
  created_at timestamptz(3) not null,
  primary key (merchant_account_id, transaction_id, id)
);

-- The declined attempts with each card, for what card schemes say about trying it again.
create table card_declines (
  merchant_account_id text not null, fingerprint text not null, attempt_id uuid not null, transaction_id uuid not null,
  -- Another date makes it another card: the issuer has renewed it.
  expiration_date text,
  -- What was presented: the number, or a token in its place.
  instrument_type text,
  scheme text, merchant_initiated boolean not null, amount integer not null, currency text not null,
  -- Whether the issuer declined, which counts for the limits. Advice may also come with a technical failure.
  is_decline boolean not null,
  -- What the scheme advised, if it did.
  kind text check (kind in ('merchant_advice_code', 'response_code')),
  code text, created_at timestamptz(3) not null,
  -- No rule of a scheme needs it any more.
  forget_at timestamptz(3) not null,
  primary key (merchant_account_id, fingerprint, attempt_id),
  check ((kind is null) = (code is null)),
  check (forget_at >= created_at)
);
create index card_declines_to_forget on card_declines (forget_at);

-- What was asked of a provider for a payment, and what it answered, without secrets and card data: before a row is written,
-- each value is masked that the connector does not allow to be shown. Removed after 30 days.
create table exchanges (
  merchant_account_id text not null, transaction_id uuid not null, id uuid not null, attempt_id uuid not null,
  operation text not null check (operation in ('authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'redeem', 'reverse')),
  -- A request that asks for the operation, one that completes it after the buyer's approval, or one that asks for its outcome.
  purpose text not null check (purpose in ('request', 'completion', 'inquiry')),
  service_type text not null check (service_type in ('payment-service', 'gift-card-service')),
  service_id uuid not null, service_definition_id text not null,
  -- The request to our API that caused it. Null: a job did.
  request_id text,
  outcome text not null check (outcome in ('answered', 'timed_out', 'no_connection', 'no_answer', 'answer_cut', 'answer_refused')),
  reason text,
  -- Not jsonb: nothing looks into them, and writing is cheaper.
  request json not null check (octet_length(request::text) <= 131072),
  response json check (octet_length(response::text) <= 131072),
  duration_ms integer not null check (duration_ms >= 0),
  created_at timestamptz(3) not null,
  primary key (merchant_account_id, transaction_id, id),
  check (reason is null or outcome = 'no_connection'),
  check ((response is not null) = (outcome in ('answered', 'answer_cut')) or outcome in ('timed_out', 'answer_refused'))
);
create index exchanges_by_age on exchanges (created_at);

-- Old, finished payments that were moved to files. An archive is one file: up to a thousand payments of
-- one account and one month.
create table archives (
  merchant_account_id text not null references merchant_accounts,
  id uuid not null,
  -- When its payments were made, such as 2026-01.
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- writing: the payments are still in the database, and the file counts for nothing. archived: they are in the file alone.
  -- restored: they are back, and the file is a copy. abandoned: it was not finished, and its file was removed.
  state text not null check (state in ('writing', 'archived', 'restored', 'abandoned')),
  file text not null unique check (file ~ '^[a-zA-Z0-9.-]{1,150}$'),
  -- Tells one folder from another, wherever it is mounted.
  stored_in text not null,
  -- Of the file as it is on the disk.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint check (size > 0),
  payments integer check (payments > 0),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  primary key (merchant_account_id, id),
  check ((state in ('archived', 'restored')) = (sha256 is not null)),
  check ((sha256 is null) = (size is null) and (sha256 is null) = (payments is null))
);

-- Where each archived payment is. Answers say so, and the erasure of a buyer does not overlook it.
create table archived_payments (
  merchant_account_id text not null, id uuid not null, archive_id uuid not null, buyer_id uuid,
  primary key (merchant_account_id, id),
  foreign key (merchant_account_id, archive_id) references archives (merchant_account_id, id)
);
create index archived_payments_by_buyer on archived_payments (merchant_account_id, buyer_id) where buyer_id is not null;

-- == What is asked of providers

-- Everything that is asked of a provider, recorded before it is asked. Its id is the provider's idempotency key.
create table attempts (
  id uuid primary key,
  merchant_account_id text not null, transaction_id uuid, kind text not null,
  -- The capture or refund it is for.
  subject_id uuid,
  service_id uuid not null,
  -- An authorization that takes the money at once.
  is_direct_capture boolean not null default false,
  amount integer not null,
  -- queued: to be sent by a job. sent: an answer is awaited. unknown: there was none that could be read.
  -- pending: the provider works on it. The others are final.
  state text not null,
  reference text,
  -- Why it was refused, in our words and in the provider's.
  error_code text,
  raw_response_code text, raw_response_description text, checks integer not null default 0,
  -- When to ask the provider what became of it. Null once it is known.
  due_at timestamptz(3),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  -- What an authorization presents to its payment service, if it is not what the payment itself says: a token in place of
  -- the stored card's number. It is recorded before the service is asked.
  instrument_type text,
  instrument_id uuid,
  -- The buyer approves at the provider and comes back to us. `may_complete`: the provider is asked to complete the attempt,
  -- under the same id, until it is decided. `returned` is what the buyer's browser brought back, and `approval` is what our
  -- page shows before that. Both are sealed, and go when the attempt is decided.
  may_complete boolean not null default false,
  returned bytea, approval bytea,
  -- Some providers can be asked about an attempt only by sending the same order again. Such an order is kept as it was, in the
  -- vault, before it is sent. `order_state`: an order with a card is `awaited` when its attempt is recorded, and `kept` before
  -- it is sent. A process that finds it still awaited after the sender's time is over declares it `abandoned`: it was never
  -- sent, and never will be.
  order_state text,
  -- When the attempt was recorded, in real time.
  sent_at timestamptz(3),
  -- The trace (W3C traceparent) in which an attempt or an event began, so that jobs go on with it. Null: it is not traced.
  traceparent text
) with (fillfactor = 90);
create domain attempts_rules as attempts
  constraint transaction_attempts_amount_check check ((value).amount >= 0)
  constraint transaction_attempts_state_check check (
    (value).state in ('queued', 'sent', 'unknown', 'pending', 'approved', 'declined', 'failed'))
  constraint transaction_attempts_check check (((value).state in ('approved', 'declined', 'failed')) = ((value).due_at is null))
  constraint attempts_instrument check ((value).instrument_id is null or (value).instrument_type is not null)
  constraint attempts_returned check ((value).returned is null or ((value).may_complete and (value).due_at is not null))
  constraint attempts_approval check ((value).approval is null or (value).due_at is not null)
  constraint attempts_order_state check ((value).order_state in ('awaited', 'kept', 'abandoned'))
  constraint attempts_traceparent_check check (length((value).traceparent) = 55);
alter table attempts add constraint attempts_rules check (attempts::attempts_rules is distinct from null);
create index attempts_by_transaction on attempts (merchant_account_id, transaction_id);
create index attempts_due on attempts (service_id, due_at) where due_at is not null;
-- Notifications name an operation by the provider's id. They come until they are acknowledged, also after its end.
create index attempts_by_reference on attempts (service_id, reference) where reference is not null;

-- `order_token` and `code_token` are of the vault. The security code goes after minutes, and with the provider's first answer.
create table attempt_orders (
  attempt_id uuid primary key references attempts (id) on delete cascade,
  merchant_account_id text not null, order_token uuid, code_token uuid, sent_at timestamptz(3) not null,
  code_until timestamptz(3) not null, order_until timestamptz(3) not null,
  check (code_token is null or order_token is not null)
);
create index attempt_orders_codes on attempt_orders (code_until) where code_token is not null;
create index attempt_orders_ends on attempt_orders (order_until);
-- Few orders outlive the time in which they can be sent again.
create index attempt_orders_by_account on attempt_orders (merchant_account_id, order_until);

-- What providers told us before we knew what it is about: an answer of theirs may still be on its way. A job looks again, and
-- gives up after thirty days. Most of what stays is about payments that were not made here.
create table held_notifications (
  id uuid primary key,
  merchant_account_id text not null,
  -- The service to whose address the message came.
  payment_service_id uuid not null references payment_services,
  -- A hash of `told`: a provider sends its messages several times.
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  -- What the connector has read, as JSON. It has no secrets: all of it may be shown to the merchant.
  told text not null check (octet_length(told) <= 32768),
  checks integer not null default 0 check (checks >= 0),
  due_at timestamptz(3), created_at timestamptz(3) not null,
  -- What became of a notification that fitted nothing when it came: merchants look for it. It stays for thirty days more.
  status text not null default 'held' check (status in ('held', 'matched', 'expired')),
  ended_at timestamptz(3),
  unique (payment_service_id, digest),
  constraint held_notifications_due_while_held check ((status = 'held') = (due_at is not null)),
  constraint held_notifications_ended check ((status = 'held') = (ended_at is null))
);
create index held_notifications_due on held_notifications (due_at);
create index held_notifications_by_service on held_notifications (payment_service_id, created_at, id);
create index held_notifications_by_status on held_notifications (payment_service_id, status, created_at, id);
create index held_notifications_by_end on held_notifications (ended_at) where ended_at is not null;

-- == Payment links

-- A link that one buyer can pay once. The row is read whole; `document` holds what no list filters by.
-- As with payments, no index names a column that changes: the status has a mark, and the times that change are in a table of
-- their own.
create table payment_links (
  merchant_account_id text not null, id uuid not null,
  amount integer not null check (amount between 0 and 99999999),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  country text not null check (country ~ '^[A-Z]{2}$'),
  intent text not null check (intent in ('authorize', 'capture')),
  payment_source text not null check (payment_source in ('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file')),
  store boolean not null, external_identifier text, buyer_id uuid, document jsonb not null,
  -- From here on: what changes.
  status text not null check (status in ('active', 'processing', 'completed', 'expired')),
  -- The place for one payment: the one under way, or the one that has paid.
  transaction_id uuid,
  -- How many payments were tried. A form names the number that it was made with, so sending it twice pays once.
  tries integer not null default 0 check (tries >= 0),
  expires_at timestamptz(3) not null,
  -- When an active link is to expire. Null for all others: none of them expires any more.
  due_at timestamptz(3),
  updated_at timestamptz(3) not null,
  -- The latest payment, and SHA-256 of the secret of the browser that made it, as of checkout pages.
  last_transaction_id uuid,
  last_attempt text,
  primary key (merchant_account_id, id),
  constraint held_by_a_payment check ((transaction_id is not null) = (status in ('processing', 'completed'))),
  constraint due_while_active check ((due_at is not null) = (status = 'active')),
  constraint attempt_of_a_payment check ((last_transaction_id is null) = (last_attempt is null) and last_attempt ~ '^[0-9a-f]{64}$')
) with (fillfactor = 90);
create index payment_links_by_currency on payment_links (merchant_account_id, currency, id);
create index payment_links_by_amount on payment_links (merchant_account_id, amount, id);
create index payment_links_by_buyer on payment_links (merchant_account_id, buyer_id, id) where buyer_id is not null;
create function refuse_link_without_its_payment() returns trigger language plpgsql as $$
begin
  if exists (
    select from transactions as payment
    where payment.merchant_account_id = old.merchant_account_id and payment.id = old.transaction_id
      and payment.status not in ('authorization_declined', 'authorization_failed')
  ) then
    raise check_violation using message = 'a payment link gives up a payment that has not failed';
  end if;
  return null;
end $$;
create constraint trigger link_keeps_its_payment after update on payment_links
  deferrable initially deferred for each row
  when (old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id)
  execute function refuse_link_without_its_payment();

create table payment_link_times (
  merchant_account_id text not null, id uuid not null, updated_at timestamptz(3) not null, due_at timestamptz(3),
  primary key (merchant_account_id, id)
);
create index payment_links_by_update on payment_link_times (merchant_account_id, updated_at, id);
create index payment_links_due on payment_link_times (merchant_account_id, due_at, id) where due_at is not null;
-- For the job, which looks at all accounts at once.
create index payment_links_due_anywhere on payment_link_times (due_at, id) where due_at is not null;

create table payment_link_marks (
  merchant_account_id text not null, mark text not null, id uuid not null,
  primary key (merchant_account_id, mark, id)
);

-- == Payouts

-- Money that merchants send to cards. The id of a payout is also that of its attempt. It is a UUIDv7: it holds the time of
-- creation and gives the order of the list. As for payments, no index mentions a column that changes, and nothing refers
-- to merchant accounts or services, which are never deleted.
create table payouts (
  merchant_account_id text not null, id uuid not null, amount integer not null, currency text not null, category text,
  external_identifier text, payment_service_id uuid not null,
  -- The buyer, the card and the merchant as they were then. No card number.
  document jsonb not null,
  -- From here on: what changes. Not in any index.
  status text not null,
  -- The payment service's own id of the payout.
  payment_service_payout_id text,
  updated_at timestamptz(3) not null,
  primary key (merchant_account_id, id)
) with (fillfactor = 80);
create domain payouts_rules as payouts
  constraint payouts_amount_check check ((value).amount between 1 and 99999999)
  constraint payouts_currency_check check ((value).currency ~ '^[A-Z]{3}$')
  constraint payouts_category_check check ((value).category in ('online_gambling'))
  constraint payouts_external_identifier_check check (length((value).external_identifier) between 1 and 200)
  constraint payouts_status_check check ((value).status in ('pending', 'succeeded', 'declined', 'failed'))
  constraint payouts_payment_service_payout_id_check check ((value).payment_service_payout_id <> '')
  constraint succeeded_with_reference check ((value).status <> 'succeeded' or (value).payment_service_payout_id is not null);
alter table payouts add constraint payouts_rules check (payouts::payouts_rules is distinct from null);
create index payouts_by_external_identifier on payouts (merchant_account_id, external_identifier, id) where external_identifier is not null;
create index payouts_by_buyer on payouts (merchant_account_id, (document -> 'buyer' ->> 'id'))
  where document -> 'buyer' ->> 'id' is not null;

-- Facts that change: the status, and the id at the payment service.
create table payout_marks (
  merchant_account_id text not null, mark text not null, id uuid not null,
  primary key (merchant_account_id, mark, id)
) with (fillfactor = 90);

create table payout_updates (
  merchant_account_id text not null, id uuid not null, updated_at timestamptz(3) not null,
  primary key (merchant_account_id, id)
) with (fillfactor = 90);
create index payout_updates_by_time on payout_updates (merchant_account_id, updated_at, id);

-- == Gift cards

create table gift_cards (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- The service that knows the card. No other is ever told its number.
  gift_card_service_id uuid not null references gift_card_services,
  buyer_id uuid references buyers on delete set null,
  bin text not null check (bin ~ '^[0-9]{6}$'),
  sub_bin text not null check (sub_bin ~ '^[0-9]{3}$'),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  fingerprint text not null,
  -- Where the vault keeps number and PIN. Null once the card is deleted: they are gone, the row stays for the books.
  number_token uuid,
  pin_token uuid, expires_at timestamptz(3), usage_count integer not null default 0, last_used_at timestamptz(3),
  cit_usage_count integer not null default 0, cit_last_used_at timestamptz(3), created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null, deleted_at timestamptz(3),
  check ((deleted_at is null) = (number_token is not null)),
  check ((deleted_at is null) = (pin_token is not null))
);
create unique index gift_cards_once_per_buyer on gift_cards (buyer_id, fingerprint) where deleted_at is null and buyer_id is not null;
create index gift_cards_by_account on gift_cards (merchant_account_id, created_at desc, id desc) where deleted_at is null;
create index gift_cards_by_age on gift_cards (created_at desc, id desc) where deleted_at is null and created_at > '-infinity';
-- Of deleted cards as well, as deleting a buyer looks for them.
create index gift_cards_by_buyer on gift_cards (buyer_id, created_at desc, id desc) where buyer_id is not null;

-- Each use is a row of its own, and a job adds them up; see payment_method_uses.
create table gift_card_uses (
  id uuid primary key,
  gift_card_id uuid not null, used_at timestamptz(3) not null, is_client_initiated boolean not null
);
create index gift_card_uses_by_card on gift_card_uses (gift_card_id);

-- What a gift card service was asked for that moves money, other than for a payment. The id is our attempt id.
create table gift_card_operations (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  gift_card_service_id uuid not null references gift_card_services,
  kind text not null check (kind in ('activate', 'issue')),
  -- sent: its attempt is open. The others are final.
  state text not null check (state in ('sent', 'approved', 'refused')),
  amount integer check (amount between 0 and 99999999),
  currency text check (currency ~ '^[A-Z]{3}$'),
  external_identifier text,
  -- The card that is activated.
  bin text,
  sub_bin text, last4 text, fingerprint text,
  -- Where the vault keeps number and PIN of a card that is to be stored, until it is.
  number_token uuid,
  pin_token uuid,
  buyer_id uuid references buyers on delete set null,
  -- The card that was stored.
  gift_card_id uuid references gift_cards,
  expires_at timestamptz(3),
  -- The service's id of it.
  reference text,
  -- Why it was refused, in our words and in the service's.
  error_code text,
  raw_error_code text, raw_error_message text,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  check (kind <> 'activate' or fingerprint is not null),
  check (kind <> 'issue' or amount is not null and currency is not null),
  constraint gift_card_operations_forgotten check (state = 'sent' or (number_token is null and pin_token is null))
);
create index gift_card_operations_by_buyer on gift_card_operations (buyer_id) where buyer_id is not null;
create unique index gift_card_operations_one_activation on gift_card_operations (gift_card_service_id, fingerprint)
  where kind = 'activate' and state = 'sent';

-- What gift cards pay of a transaction. Numbers and PINs are not here; where one is needed again, it waits in the vault.
create table gift_card_redemptions (
  merchant_account_id text not null, transaction_id uuid not null, id uuid not null,
  -- The order in which they are redeemed.
  position integer not null,
  gift_card_service_id uuid not null, gift_card_id uuid, bin text not null, sub_bin text not null, last4 text not null,
  amount integer not null, status text not null,
  -- It succeeded, and was undone since: the payment came to nothing.
  is_reversed boolean not null default false,
  refunded_amount integer not null default 0,
  -- Refunds on their way count from the moment they are sent.
  refunding_amount integer not null default 0,
  gift_card_service_redemption_id text, redeem_attempt_id uuid, error_code text, raw_error_code text, raw_error_message text,
  number_token uuid, pin_token uuid, updated_at timestamptz(3) not null,
  primary key (merchant_account_id, transaction_id, id),
  unique (merchant_account_id, transaction_id, position),
  foreign key (merchant_account_id, transaction_id) references transactions (merchant_account_id, id)
);
create domain gift_card_redemptions_rules as gift_card_redemptions
  constraint gift_card_redemptions_amount_check check ((value).amount between 1 and 99999999)
  constraint gift_card_redemptions_status_check check ((value).status in ('created', 'succeeded', 'failed', 'skipped'))
  constraint gift_card_redemptions_refunded_amount_check check ((value).refunded_amount >= 0)
  constraint gift_card_redemptions_refunding_amount_check check ((value).refunding_amount >= 0)
  constraint refunded_within_redeemed check ((value).refunded_amount + (value).refunding_amount <= (value).amount)
  constraint refunded_only_if_redeemed check ((value).status = 'succeeded' or (value).refunded_amount + (value).refunding_amount = 0)
  constraint reversed_or_refunded check (not (value).is_reversed or (value).refunded_amount + (value).refunding_amount = 0);
alter table gift_card_redemptions add constraint gift_card_redemptions_rules check (gift_card_redemptions::gift_card_redemptions_rules is distinct from null);
-- For lists, which read those of a page at once.
create index gift_card_redemptions_by_transaction on gift_card_redemptions (transaction_id);

-- == Events and webhooks

-- What subscribers are told: written with the change it tells of.
create table events (
  id uuid primary key,
  merchant_account_id text, name text not null, target_type text not null, target_id uuid not null, target jsonb not null,
  created_at timestamptz(3) not null,
  -- Grows from each event of a resource to the next one of that resource, so that a receiver can put them in order.
  sequence bigint generated always as identity,
  traceparent text check (length(traceparent) = 55)
);
create index events_by_target on events (target_id, created_at desc, id desc);
create index events_of_account on events (merchant_account_id, created_at, id);
create index events_of_name on events (merchant_account_id, name, created_at, id);
create index events_of_all_accounts on events (created_at, id) where created_at > '-infinity';

create table webhook_subscriptions (
  id uuid primary key,
  -- Null: told of the events of all accounts, and of those of the installation.
  merchant_account_id text references merchant_accounts,
  active boolean not null,
  url text not null check (length(url) between 1 and 2048),
  -- How to authenticate at the URL, without its secrets.
  authentication jsonb check (jsonb_typeof(authentication) = 'object'),
  -- By name, the places in the vault: secret, former_secret, password, client_secret.
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
  -- Until when the former secret signs as well.
  former_secret_until timestamptz(3),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null, deleted_at timestamptz(3),
  -- Who created a subscription, and which events it wants: names, and groups such as transaction.*. Null: all events.
  creator_id uuid,
  creator_name text,
  events text[] check (cardinality(events) between 1 and 100 and array_position(events, null) is null),
  creator_email_address text check (length(creator_email_address) <= 254),
  -- Whether a receiver works: since when it has taken nothing, and when it last took something. Null: it took the last one; never.
  failing_since timestamptz(3),
  last_delivered_at timestamptz(3),
  check (deleted_at is not null or secrets ? 'secret'),
  check ((former_secret_until is not null) = (secrets ? 'former_secret')),
  check ((creator_id is null) = (creator_name is null))
);
create index webhook_subscriptions_by_age on webhook_subscriptions (created_at desc, id desc) where deleted_at is null;
create index webhook_subscriptions_by_account on webhook_subscriptions (merchant_account_id) where deleted_at is null;

-- An event on its way to a subscription, written with the event. It has the event's id. References would make every
-- payment lock the same few subscriptions, and subscriptions are never removed, so there are none.
create table webhook_deliveries (
  subscription_id uuid not null, id uuid not null, event_name text not null, status text not null,
  -- When it is due; while an attempt is made, when that attempt is given up as lost.
  next_attempt_at timestamptz(3),
  -- Attempts begun. The number fences: what an attempt found out counts only while no later one was begun.
  attempts integer not null default 0,
  -- Failures since the schedule began, which begins anew with a replay.
  failures integer not null default 0,
  response_status_code integer, outcome text, parked_because text, delivered_at timestamptz(3), created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Until when a process has a delivery, in real time. `next_attempt_at` is in the time of the clock, which can be moved.
  leased_until timestamptz(3),
  -- The event was erased while it was being sent, or before. What the subscriber answers may repeat it, so it is not kept.
  is_erased boolean not null default false,
  primary key (subscription_id, id)
);
create domain webhook_deliveries_rules as webhook_deliveries
  constraint webhook_deliveries_status_check check ((value).status in ('waiting', 'delivered', 'parked'))
  constraint webhook_deliveries_parked_because_check check (
    (value).parked_because in ('schedule_ended', 'subscription_inactive', 'subscription_deleted'))
  constraint webhook_deliveries_check check (((value).status = 'waiting') = ((value).next_attempt_at is not null))
  constraint webhook_deliveries_check1 check (((value).status = 'delivered') = ((value).delivered_at is not null))
  constraint webhook_deliveries_check2 check (((value).status = 'parked') = ((value).parked_because is not null));
alter table webhook_deliveries add constraint webhook_deliveries_rules check (webhook_deliveries::webhook_deliveries_rules is distinct from null);
create index webhook_deliveries_waiting on webhook_deliveries (subscription_id, next_attempt_at) where status = 'waiting';
create index webhook_deliveries_parked on webhook_deliveries (subscription_id, id) where status = 'parked';

-- What became of each attempt, with the beginning of the answer.
create table webhook_attempts (
  subscription_id uuid not null, delivery_id uuid not null, number integer not null, outcome text not null, response_status_code integer,
  response_body text, duration_ms integer not null, created_at timestamptz(3) not null,
  -- Why no connection could be made. Null where there was one.
  reason text,
  primary key (subscription_id, delivery_id, number),
  foreign key (subscription_id, delivery_id) references webhook_deliveries (subscription_id, id) on delete cascade
);

-- == Rules

-- Rules that decide about payments. Every change writes all rules of the account as a new version; no version is ever changed.
create table flow_versions (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  number integer not null check (number > 0),
  rules jsonb not null check (jsonb_typeof(rules) = 'array' and jsonb_array_length(rules) <= 500),
  -- What the change was, for people who read the history.
  note text not null check (length(note) between 1 and 300),
  author_id uuid, author_name text not null, created_at timestamptz(3) not null,
  unique (merchant_account_id, number)
);
create index flow_versions_by_account on flow_versions (merchant_account_id, created_at desc, id desc);
create function refuse_change_of_flow_version() returns trigger language plpgsql as $$
begin
  raise exception 'a version of the rules is never changed: write a new one' using errcode = '23514';
end $$;
create trigger flow_versions_stay before update or delete on flow_versions
  for each row execute function refuse_change_of_flow_version();

-- Rules that are tried on payments of the past. A job goes through the payments by id, and keeps what it has counted so far.
create table flow_back_tests (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  status text not null check (status in ('pending', 'running', 'succeeded', 'failed')),
  -- Null: the rules came with the request.
  version integer check (version > 0),
  rules jsonb not null check (jsonb_typeof(rules) = 'array' and jsonb_array_length(rules) <= 500),
  created_at_gte timestamptz(3) not null, created_at_lte timestamptz(3) not null,
  total bigint check (total >= 0),
  done bigint not null default 0 check (done >= 0),
  -- The payment up to which they are counted.
  done_through uuid,
  tally jsonb not null default '{}',
  failure_reason text check (length(failure_reason) between 1 and 300),
  tries integer not null default 0 check (tries >= 0),
  leased_until timestamptz(3), created_at timestamptz(3) not null, finished_at timestamptz(3),
  check (created_at_gte <= created_at_lte),
  check ((finished_at is not null) = (status in ('succeeded', 'failed'))),
  check ((failure_reason is not null) = (status = 'failed'))
);
create index flow_back_tests_by_account on flow_back_tests (merchant_account_id, created_at desc, id desc);
create index flow_back_tests_open on flow_back_tests (created_at) where status in ('pending', 'running');

-- How payment services have fared lately, for rules that route by success. One row for each kind of payment, from coarse to fine.
create table service_scores (
  merchant_account_id text not null references merchant_accounts,
  payment_service_id uuid not null references payment_services,
  -- The method; the method and the scheme; these and the currency and the country of the card.
  segment text not null check (length(segment) between 1 and 100),
  -- Counts that fade: half of them is gone after a thousand payments, or after six hours.
  successes double precision not null check (successes >= 0),
  failures double precision not null check (failures >= 0),
  failures_in_a_row integer not null check (failures_in_a_row >= 0),
  failing_since timestamptz(3), last_outcome_at timestamptz(3) not null,
  primary key (merchant_account_id, payment_service_id, segment),
  check ((failing_since is null) = (failures_in_a_row = 0))
);
create index service_scores_by_age on service_scores (last_outcome_at);

-- What payment services have charged for settled payments, for rules that route by cost. One row for each kind of payment, from coarse
-- to fine. The sums of a row fade together: half is gone after 30 days, so that a new price shows.
create table service_costs (
  merchant_account_id text not null references merchant_accounts,
  payment_service_id uuid not null references payment_services,
  -- The method and the currency; these and the scheme; these and the country of the card.
  segment text not null check (length(segment) between 1 and 100),
  payments double precision not null check (payments > 0),
  amounts double precision not null check (amounts > 0),
  fees double precision not null check (fees >= 0),
  -- Of each payment the amount times itself, and the amount times the fee: a share and a fixed part follow from these.
  squares double precision not null check (squares > 0),
  products double precision not null check (products >= 0),
  last_settled_at timestamptz(3) not null,
  primary key (merchant_account_id, payment_service_id, segment)
);
create index service_costs_by_age on service_costs (last_settled_at);

-- What the issuer answers in a sandbox, for the payments that meet the conditions.
create table three_ds_scenarios (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- A condition that is null is met by every payment.
  first_name text check (length(first_name) between 1 and 255),
  last_name text check (length(last_name) between 1 and 255),
  email_address text check (length(email_address) between 1 and 320),
  amount integer check (amount between 0 and 99999999),
  external_identifier text check (length(external_identifier) between 1 and 200),
  -- Of a card number, only the vault's fingerprint, to compare, and the digits that may be shown.
  card_fingerprint text,
  card_masked text check (card_masked ~ '^([0-9]{6,8}[*]{3,}[0-9]{4}|[*]{4})$'),
  version text check (version ~ '^[12]([.][0-9]+){0,2}$'),
  authentication_status text not null check (authentication_status in ('Y', 'N', 'A', 'R', 'U', 'C', 'timeout')),
  -- The issuer's answer after a challenge.
  result_status text check (result_status in ('Y', 'N', 'timeout')),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  check ((card_fingerprint is null) = (card_masked is null)),
  check ((authentication_status = 'C') = (result_status is not null))
);
create index three_ds_scenarios_by_account on three_ds_scenarios (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index three_ds_scenarios_by_age on three_ds_scenarios (created_at desc, id desc) where created_at > '-infinity';

-- == Files of providers

-- Where we are with the report files of a payment service: when to look for new ones, and who looks now.
create table payment_service_report_feeds (
  payment_service_id uuid primary key references payment_services,
  merchant_account_id text not null,
  -- When to list the files again, by the clock of the service.
  due_at timestamptz(3) not null,
  -- Until when no other process looks, by the time of the database.
  leased_until timestamptz(3) not null default '-infinity',
  -- When the newest file that we know was published.
  listed_until timestamptz(3),
  -- When the provider was last asked with success.
  listed_at timestamptz(3),
  failures integer not null default 0 check (failures >= 0),
  -- Why the last look failed. Null once one succeeds.
  problem text,
  -- Who holds the lease of a feed. A process that has lost its lease can neither keep nor end that of its successor.
  lease uuid,
  check ((failures = 0) = (problem is null))
);
create index payment_service_report_feeds_due on payment_service_report_feeds (due_at);
create index payment_service_report_feeds_failing on payment_service_report_feeds (merchant_account_id) where failures > 0;

-- What a provider reports about a period. A report has several files if the provider corrects the first.
create table payment_service_reports (
  id uuid primary key,
  merchant_account_id text not null,
  payment_service_id uuid not null references payment_services,
  -- The provider's own id of the report. Null for what it tells by notifications.
  external_identifier text,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);
create unique index payment_service_reports_once on payment_service_reports (payment_service_id, coalesce(external_identifier, ''));
create index payment_service_reports_by_account on payment_service_reports (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry its condition, which is always true; see buyers_by_age.
create index payment_service_reports_by_age on payment_service_reports (created_at desc, id desc) where created_at > '-infinity';
create function refuse_report_gone_from_lines() returns trigger language plpgsql as $$
begin
  if exists (select from payment_service_report_lines where report_id = old.id)
    and not exists (select from payment_service_reports where id = old.id) then
    raise foreign_key_violation using message = 'lines still name the report',
      table = 'payment_service_report_lines', constraint = 'payment_service_report_lines_of_report';
  end if;
  return null;
end $$;
create trigger payment_service_reports_of_lines after delete or update of id on payment_service_reports
  for each row execute function refuse_report_gone_from_lines();

-- The bytes of a file, once. Their hash is the identity: the same bytes under another name are the same file.
create table payment_service_report_files (
  id uuid primary key,
  merchant_account_id text not null,
  payment_service_id uuid not null references payment_services,
  report_id uuid not null references payment_service_reports,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null check (size >= 0),
  -- applying: `lines_done` says how far. refused: none of its lines is applied.
  status text not null check (status in ('applying', 'applied', 'refused', 'abandoned')),
  -- Why the file is refused.
  problem text,
  -- The day that the file is about, and the currency of its sums. Null if its header cannot be read.
  report_date date,
  currency text check (currency ~ '^[A-Z]{3}$'),
  line_count integer not null check (line_count >= 0),
  -- The sums of the lines. The file is refused if its trailer says otherwise.
  gross_amount bigint not null,
  fee_amount bigint not null,
  lines_done integer not null default 0 check (lines_done between 0 and line_count),
  -- Lines that no payment fits, and lines to look at although one does.
  unmatched_count integer not null default 0 check (unmatched_count >= 0),
  flagged_count integer not null default 0 check (flagged_count >= 0),
  published_at timestamptz(3) not null, created_at timestamptz(3) not null, finished_at timestamptz(3),
  unique (payment_service_id, sha256),
  check (status <> 'refused' or lines_done = 0),
  check (status <> 'applied' or lines_done = line_count),
  check ((status = 'applying') = (finished_at is null)),
  constraint payment_service_report_files_problem check ((status in ('refused', 'abandoned')) = (problem is not null)),
  constraint payment_service_report_files_abandoned check (status <> 'abandoned' or lines_done < line_count)
) with (fillfactor = 80);
create index payment_service_report_files_by_report on payment_service_report_files (report_id, created_at, id);
-- A line of a file names the file and its report. One key for both: PostgreSQL looks a key up for every line.
create unique index payment_service_report_files_of_report on payment_service_report_files (id, report_id);

-- Each name under which a provider offers a file. A file that could not be read, or is refused, is tried again when due.
create table payment_service_report_offers (
  payment_service_id uuid not null references payment_services,
  -- The provider's own id of the file.
  external_identifier text not null,
  name text not null, published_at timestamptz(3) not null,
  file_id uuid references payment_service_report_files,
  checks integer not null default 0 check (checks >= 0),
  due_at timestamptz(3),
  -- Why an offered file could not be read the last time.
  problem text,
  primary key (payment_service_id, external_identifier),
  check (file_id is not null or due_at is not null)
);
create index payment_service_report_offers_due on payment_service_report_offers (payment_service_id, due_at) where due_at is not null;
create index payment_service_report_offers_by_file on payment_service_report_offers (file_id) where file_id is not null;

-- The lines of all files. A line that fits a payment is the payment's settlement, refund settlement, chargeback or reversal,
-- as the API shows it. A chargeback may also come by a notification: then it has no file yet.
create table payment_service_report_lines (
  merchant_account_id text not null, id uuid not null, payment_service_id uuid not null, report_id uuid not null, file_id uuid,
  line_number integer check (line_number > 0),
  kind text not null check (kind in ('settlement', 'refund_settlement', 'chargeback', 'chargeback_reversal', 'other')),
  -- The provider's own id of the movement. The same movement in another file, or in a notification, has the same one.
  external_identifier text,
  -- What the line is about: the provider's id of a capture or refund, and ours.
  provider_reference text,
  own_reference text,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Above zero: for the merchant. Below zero: taken from the merchant.
  amount bigint not null,
  original_amount bigint,
  original_currency text check (original_currency ~ '^[A-Z]{3}$'),
  exchange_rate double precision check (exchange_rate > 0),
  commission bigint not null, interchange bigint, markup bigint, scheme_fee bigint,
  -- Why the buyer's bank took the money back, in the provider's words.
  reason_code text,
  reason_description text, posted_at timestamptz(3) not null, ingested_at timestamptz(3) not null,
  -- From here on: what changes.
  transaction_id uuid,
  refund_id uuid,
  -- Why no payment fits. Null if one does.
  unmatched_because text,
  -- What an operator should look at, although a payment fits.
  flag text check (flag in ('below_expected', 'above_expected', 'other_exchange')),
  checks integer not null default 0 check (checks >= 0),
  -- When to look for a payment again.
  due_at timestamptz(3),
  updated_at timestamptz(3) not null,
  -- A chargeback without an id of its own: the notification that told of it, by what it said.
  notice text,
  -- Of chargebacks. Until when the provider takes an answer, if it says so.
  respond_by timestamptz(3),
  -- That a person has answered at the provider, and what they wrote for their colleagues. The note goes when the buyer is erased.
  answered_at timestamptz(3),
  answered_by uuid, answered_by_name text, answer_note text,
  primary key (merchant_account_id, id),
  unique (file_id, line_number),
  foreign key (merchant_account_id, transaction_id) references transactions (merchant_account_id, id),
  foreign key (merchant_account_id, refund_id) references refunds (merchant_account_id, id),
  check (provider_reference is not null or kind = 'other'),
  check ((refund_id is not null) = (transaction_id is not null and kind = 'refund_settlement')),
  check (due_at is null or transaction_id is null),
  check (flag is null or transaction_id is not null),
  check ((file_id is null) = (line_number is null)),
  check ((original_amount is null) = (original_currency is null)),
  constraint payment_service_report_lines_matched_or_not check (
    case kind when 'other' then transaction_id is null
    else (transaction_id is null) = (unmatched_because is not null) end),
  -- What is taken from the merchant is below zero.
  constraint payment_service_report_lines_signs check (
    case kind when 'chargeback' then amount <= 0 when 'chargeback_reversal' then amount >= 0 else true end),
  -- Only chargebacks and reversals come by notifications.
  constraint payment_service_report_lines_told check (file_id is not null or kind in ('chargeback', 'chargeback_reversal')),
  constraint payment_service_report_lines_notice check (
    notice is null or (external_identifier is null and kind in ('chargeback', 'chargeback_reversal'))),
  constraint payment_service_report_lines_answer check (
    case when answered_at is null then answered_by is null and answered_by_name is null and answer_note is null
    else kind = 'chargeback' and answered_by_name is not null and (answer_note is null or length(answer_note) between 1 and 1000) end
  ),
  constraint payment_service_report_lines_deadline check (respond_by is null or kind = 'chargeback'),
  constraint payment_service_report_lines_of_file foreign key (file_id, report_id) references payment_service_report_files (id, report_id),
  constraint payment_service_report_lines_unmatched_because_check check (unmatched_because in (
    'unknown_reference', 'not_decided', 'not_succeeded', 'other_currency', 'duplicate', 'differs', 'late_sale', 'unreadable'))
) with (fillfactor = 90);
create index payment_service_report_lines_by_transaction on payment_service_report_lines
  (merchant_account_id, transaction_id, kind) where transaction_id is not null;
create index payment_service_report_lines_by_report on payment_service_report_lines (report_id, id);
create index payment_service_report_lines_unmatched on payment_service_report_lines (report_id, id) where unmatched_because is not null;
create index payment_service_report_lines_flagged on payment_service_report_lines (report_id, id) where flag is not null;
create index payment_service_report_lines_due on payment_service_report_lines (due_at) where due_at is not null;
create unique index payment_service_report_lines_once on payment_service_report_lines
  (payment_service_id, kind, external_identifier)
  where external_identifier is not null and (unmatched_because is null or unmatched_because not in ('duplicate', 'differs'));
create unique index payment_service_report_lines_notice_once on payment_service_report_lines
  (payment_service_id, kind, notice) where notice is not null;
-- Chargebacks without an id, for the other half that tells of them: a file or a notification.
create index payment_service_report_lines_nameless on payment_service_report_lines
  (payment_service_id, kind, provider_reference)
  where external_identifier is null and kind in ('chargeback', 'chargeback_reversal');
-- The flags of a payment, to take them back once its settlements add up.
create index payment_service_report_lines_flags on payment_service_report_lines (merchant_account_id, transaction_id)
  where flag is not null;
-- What needs a person is counted from these, however much needs none.
create index payment_service_report_lines_unmatched_by_account on payment_service_report_lines (merchant_account_id, id)
  where unmatched_because is not null and unmatched_because <> 'duplicate';
-- The list of chargebacks, newest first.
create index payment_service_report_lines_disputes on payment_service_report_lines
  (merchant_account_id, id desc) where kind = 'chargeback' and transaction_id is not null;
-- Chargebacks of payments, by the time at which the provider posted them: a few of many lines.
create index payment_service_report_lines_chargebacks on payment_service_report_lines
  (merchant_account_id, posted_at) where kind = 'chargeback' and transaction_id is not null;
-- Chargebacks and reversals of files, by the time at which we read them. A notification may have told of them days before, and their
-- ids are of that time.
create index payment_service_report_lines_disputes_read on payment_service_report_lines
  (merchant_account_id, ingested_at, id) where kind in ('chargeback', 'chargeback_reversal') and file_id is not null;
-- A line that only a notification told of has a report, but no file. Few lines are such. These two are what a foreign key would do:
-- the line holds its report until the commit, and a report that goes looks for such lines after it has waited for them.
create function refuse_told_line_without_report() returns trigger language plpgsql as $$
begin
  perform from payment_service_reports where id = new.report_id for key share;
  if not found then
    raise foreign_key_violation using message = 'a line of a notification names a report that is not there',
      table = 'payment_service_report_lines', constraint = 'payment_service_report_lines_of_report';
  end if;
  return null;
end $$;
create trigger payment_service_report_lines_of_report
  after insert or update of report_id, file_id on payment_service_report_lines
  for each row when (new.file_id is null) execute function refuse_told_line_without_report();

-- What has arrived of payments and refunds that are settled in another currency, in their own currency. With each new line, it is
-- compared with what should arrive, without a look at all earlier lines.
create table exchanged_settlements (
  merchant_account_id text not null,
  -- A payment, or a refund.
  id uuid not null,
  -- The sum of the amounts that buyers paid, or got back: then below zero.
  amount bigint not null,
  primary key (merchant_account_id, id)
) with (fillfactor = 90);

-- == Reports, charts and alerts

-- What a merchant wants to see again and again, as a file.
create table reports (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  name text not null check (length(name) between 1 and 100),
  description text check (length(description) between 1 and 1000),
  creator_id uuid, creator_display_name text,
  creator_type text check (creator_type in ('user', 'private_key')),
  schedule text not null check (schedule in ('once', 'daily', 'weekly', 'monthly')),
  schedule_enabled boolean not null, schedule_timezone text not null,
  model text not null
    check (model in ('transactions', 'transaction_retries', 'detailed_settlement', 'accounts_receivables', 'ai_insights')),
  params jsonb not null,
  -- When the report runs next, if its schedule is enabled.
  next_execution_at timestamptz(3),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  constraint once_has_no_schedule check (schedule <> 'once' or (not schedule_enabled and next_execution_at is null)),
  constraint others_have_one check (schedule = 'once' or next_execution_at is not null)
);
create index reports_by_account on reports (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index reports_by_age on reports (created_at desc, id desc) where created_at > '-infinity';
-- For the job.
create index reports_due on reports (next_execution_at, id) where schedule_enabled;
-- An account has only so many of them.
create index reports_scheduled on reports (merchant_account_id) where schedule_enabled;

-- One file of a report.
create table report_executions (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  report_id uuid not null references reports,
  status text not null check (status in ('pending', 'dispatched', 'processing', 'succeeded', 'failed')),
  reference_timestamp timestamptz(3) not null, reference_timezone text not null,
  -- The dates that placeholders stand for in this execution, by the name of their filter.
  ranges jsonb not null,
  -- When a worker is to take it, by the service's clock. Null once it has ended.
  due_at timestamptz(3),
  -- The worker that took it last has the highest fence, and alone may end it. Its lease is in real time.
  fence integer not null default 0 check (fence >= 0),
  leased_until timestamptz(3),
  tries integer not null default 0 check (tries >= 0),
  failure_reason text,
  -- Where the file is: the name of the storage, and its key there. Null before it is written, and after it is removed.
  stored_in text,
  file_key text,
  file_size bigint check (file_size >= 0),
  file_sha256 text,
  row_count bigint check (row_count >= 0),
  ended_at timestamptz(3), created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  constraint report_executions_due check ((due_at is null) = (status in ('succeeded', 'failed'))),
  constraint report_executions_ended check ((ended_at is not null) = (status in ('succeeded', 'failed'))),
  constraint report_executions_reason check ((failure_reason is not null) or status <> 'failed'),
  constraint report_executions_file check (
    (status = 'succeeded') = (file_size is not null and file_sha256 is not null and row_count is not null)
    and (file_key is null or status = 'succeeded')
    and (file_key is null) = (stored_in is null))
);
-- A report has one file for each time at which it runs, however many processes notice that time.
create unique index report_executions_once on report_executions (report_id, reference_timestamp);
create index report_executions_by_report on report_executions (report_id, created_at desc, id desc);
create index report_executions_by_account on report_executions (merchant_account_id, created_at desc, id desc);
create index report_executions_by_age on report_executions (created_at desc, id desc) where created_at > '-infinity';
-- For the jobs.
create index report_executions_due on report_executions (due_at, id) where due_at is not null;
-- Accounts take turns: the queue of each, and when its last file was written.
create index report_executions_queues on report_executions (merchant_account_id, due_at, id) where due_at is not null;
create index report_executions_ended on report_executions (merchant_account_id, ended_at desc) where ended_at is not null;
create index report_executions_with_file on report_executions (stored_in, ended_at, id) where file_key is not null;

-- Questions to the metrics explorer that people keep under a name.
create table metrics_explorer_presets (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  source text not null check (source in ('authentication', 'authorization', 'monitoring')),
  metric text not null check (metric in ('volume', 'transactions', 'auth_rate')),
  display_name text not null check (length(display_name) between 1 and 255),
  -- In a list, null stands for payments without a value.
  filters jsonb not null check (filters ->> 'datetime_range' <> ''),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null
);
create index metrics_explorer_presets_by_account on metrics_explorer_presets (merchant_account_id, source, created_at desc, id desc);

-- One narrow row for each payment whose authorization is decided: what the metrics explorer asks about. A job writes them from
-- transactions and their documents, some minutes later. Rows are written once; the few payments that change afterwards are noted in
-- payment_facts_pending, and written again. The id is that of the payment: it holds the time, and gives the order.
create table payment_facts (
  id uuid not null, payment_service_id uuid, amount integer not null, authorized boolean not null, is_subsequent_payment boolean not null,
  merchant_initiated boolean not null, liability_shifted boolean, merchant_account_id text not null, currency text not null, country text,
  method text, payment_source text not null, payment_method_scheme text, payment_method_bin text, payment_method_country text,
  payment_method_card_type text, payment_method_card_issuer_name text, instrument_type text, error_code text, raw_response_code text,
  authentication_outcome text, three_d_secure_auth_resp text, three_d_secure_eci text, three_d_secure_method text, metadata jsonb,
  -- The rules that it followed. Null: none.
  rule_id_route_transaction text,
  rule_id_skip_3ds text, rule_variant_id text,
  primary key (merchant_account_id, id)
);

-- How far the job has come with each merchant account: all decided payments with a smaller id have their facts, apart from those
-- that are pending.
create table payment_fact_progress (
  merchant_account_id text primary key,
  filled_to uuid not null
);

-- Payments whose facts are missing or outdated: undecided when the job came by, or changed since. The explorer reads the payments
-- themselves in their place.
create table payment_facts_pending (
  merchant_account_id text not null, id uuid not null,
  primary key (merchant_account_id, id)
) with (fillfactor = 50);

-- What a merchant watches: a rate over the last minutes, and from where on it is an alert.
create table monitoring_metrics (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  display_name text not null check (length(display_name) between 1 and 200),
  model text not null check (model in ('auth_rate')),
  -- Over which time, as the caller wrote it.
  datetime_range text not null check (datetime_range ~ '^P[0-9YMWDTHS]{2,80}/(now|hour_start|hour_end)$'),
  -- Which payments. Null: all of them. An entry that is null stands for payments without a value.
  methods text[] check (cardinality(methods) between 1 and 200),
  bins text[] check (cardinality(bins) between 1 and 200),
  schemes text[] check (cardinality(schemes) between 1 and 200),
  payment_service_ids uuid[] check (cardinality(payment_service_ids) between 1 and 200),
  -- A rate above or below is an alert. Both null: no rate is.
  alert_gt double precision check (alert_gt between 0 and 1),
  alert_lt double precision check (alert_lt between 0 and 1),
  alerting_policy_updated_at timestamptz(3),
  -- How many alerts in a row open an incident, and how many healthy samples close it. Null: there are no incidents.
  create_after_n smallint check (create_after_n between 1 and 10),
  close_after_n smallint check (close_after_n between 1 and 10),
  incident_policy_updated_at timestamptz(3),
  -- A hash of period, filters and thresholds: an account watches the same thing once.
  identity text not null check (identity ~ '^[0-9a-f]{64}$'),
  creator_id uuid not null, creator_name text not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  -- The samples of the same kind in a row, up to the last one that was healthy or an alert.
  run_healthy boolean,
  run_length integer not null check (run_length >= 0),
  -- When the next sample is due.
  due_at timestamptz(3) not null,
  -- A process takes it until then, in real time, and no other one does. Null: none has.
  leased_until timestamptz(3),
  -- A metric can be made by a user, too.
  creator_type text not null default 'private_key' check (creator_type in ('private_key', 'user')),
  check (alert_lt <= alert_gt),
  check ((create_after_n is null) = (close_after_n is null)),
  check ((run_healthy is null) = (run_length = 0))
);
create unique index monitoring_metrics_watch_once on monitoring_metrics (merchant_account_id, identity);
create index monitoring_metrics_by_account on monitoring_metrics (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index monitoring_metrics_by_age on monitoring_metrics (created_at desc, id desc) where created_at > '-infinity';
create index monitoring_metrics_due on monitoring_metrics (due_at);

-- One row for each metric and minute. Written once, never changed, removed after 30 days.
create table monitoring_samples (
  metric_id uuid not null references monitoring_metrics on delete cascade,
  minute timestamptz(0) not null check (extract(epoch from minute)::bigint % 60 = 0),
  authorized integer not null check (authorized >= 0),
  decided integer not null,
  -- Null: nothing was decided, or no policy says what is healthy.
  healthy boolean,
  -- Taken while an incident was open, or opened one.
  incident_related boolean not null,
  primary key (metric_id, minute),
  check (authorized <= decided),
  check (decided > 0 or healthy is null)
);
create index monitoring_samples_by_age on monitoring_samples (minute);

create table monitoring_incidents (
  id uuid primary key,
  merchant_account_id text not null references merchant_accounts,
  -- Null once the metric is deleted.
  metric_id uuid references monitoring_metrics on delete set null,
  -- The metric as it was when the incident was opened.
  display_name text not null,
  spec jsonb not null, alerting_policy jsonb not null, incident_policy jsonb not null,
  notes text check (length(notes) between 1 and 1000),
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  closed_at timestamptz(3) check (closed_at >= created_at),
  -- Only samples close an incident, so that of a deleted metric is closed before.
  check (metric_id is not null or closed_at is not null)
);
create unique index monitoring_incidents_one_open on monitoring_incidents (metric_id) where closed_at is null;
create index monitoring_incidents_by_metric on monitoring_incidents (metric_id, created_at desc, id desc);
create index monitoring_incidents_by_account on monitoring_incidents (merchant_account_id, created_at desc, id desc);
-- Only queries over all accounts carry the condition, which is always true; see buyers_by_age.
create index monitoring_incidents_by_age on monitoring_incidents (created_at desc, id desc) where created_at > '-infinity';

-- == The sandbox

-- How far the clock of a sandbox is ahead of real time: one row.
create table sandbox_clock (
  is_only boolean primary key default true check (is_only),
  offset_ms bigint not null default 0 check (offset_ms >= 0),
  -- Where the clock is being moved to. Null while it is not.
  target timestamptz(3) check (target < '2100-01-01T00:00:00Z'),
  -- The worker that moves it. Until this real time, no other worker takes over.
  leased_by uuid,
  leased_until timestamptz(3),
  -- The jobs that were late in the last advance of the clock: [{"job", "reason", "due_at"}].
  late_jobs jsonb not null default '[]' check (jsonb_typeof(late_jobs) = 'array'),
  constraint leased_while_advancing check ((leased_by is null) = (leased_until is null) and (leased_by is null or target is not null))
);
insert into sandbox_clock default values;
-- Ids and times that others have seen must not come again, and the time of real payments is real.
create function guard_sandbox_clock() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (tg_op = 'UPDATE' and new.offset_ms < old.offset_ms) then
    raise exception 'the clock of a sandbox only goes forward' using errcode = 'check_violation';
  end if;
  if (new.offset_ms > 0 or new.target is not null)
    and not exists (select from instance where environment = 'sandbox') then
    raise exception 'only the clock of a sandbox can be moved' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_sandbox_clock before insert or update or delete on sandbox_clock
  for each row execute function guard_sandbox_clock();

-- The history that a sandbox was last filled with: one row.
create table sandbox_fill (
  is_only boolean primary key default true check (is_only),
  status text not null default 'idle' check (status in ('idle', 'waiting', 'filling', 'succeeded', 'failed')),
  merchant_account_id text references merchant_accounts (id),
  days integer check (days between 1 and 730),
  payments integer check (payments between 1 and 100000),
  seed integer check (seed > 0),
  -- What the shop has done so far, and how many of its requests were refused for which reason.
  made jsonb not null default '{"payments": 0, "approved": 0, "captures": 0, "refunds": 0, "voids": 0}',
  refusals jsonb not null default '[]',
  failure text check (failure in ('refused', 'interrupted', 'error')),
  begun_at timestamptz(3), ended_at timestamptz(3),
  -- The key of the shop, which is deleted at the end.
  api_key_pair_id uuid,
  -- The worker that makes the history. After this real time, it is taken for dead.
  leased_by uuid,
  leased_until timestamptz(3),
  constraint wished_unless_idle check (
    (status = 'idle') = (merchant_account_id is null)
    and (merchant_account_id is null) = (days is null) and (days is null) = (payments is null)
    and (payments is null) = (seed is null) and (seed is null) = (begun_at is null)
  ),
  constraint leased_while_filling check ((status = 'filling') = (leased_by is not null) and (leased_by is null) = (leased_until is null)),
  constraint failed_with_a_reason check ((status = 'failed') = (failure is not null)),
  constraint ended_when_over check ((status in ('succeeded', 'failed')) = (ended_at is not null))
);
insert into sandbox_fill default values;
