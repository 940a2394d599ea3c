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
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
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
  failed_at timestamptz(3) not null,
  locked_until timestamptz(3)
);
create index user_lock_outs_by_age on user_lock_outs (failed_at);

-- Questions that a browser has yet to answer. Each is deleted by the answer, so no answer counts twice.
create table user_challenges (
  id uuid primary key,
  purpose text not null check (purpose in ('enrol', 'sign-in', 'add-passkey', 'prove')),
  user_id uuid references users,
  -- For an enrolment: the link that it is for.
  link_id uuid,
  challenge text not null,
  -- For an enrolment: the secret of an authenticator app, sealed.
  sealed_authenticator bytea,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create index user_challenges_by_end on user_challenges (expires_at);

-- Links for people who cannot sign in yet: the first user, an invited one, and one who has lost all keys. Only a keyed
-- hash of the token is kept.
create table user_links (
  id uuid primary key,
  purpose text not null check (purpose in ('setup', 'invitation', 'reset')),
  user_id uuid references users,
  token_mac bytea not null constraint user_links_token_mac unique,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  check ((user_id is null) = (purpose = 'setup'))
);
-- A newer link takes the place of an older one.
create unique index user_links_one_per_user on user_links (coalesce(user_id, '00000000-0000-0000-0000-000000000000'));
