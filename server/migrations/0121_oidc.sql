-- Users who sign in at an identity provider (OpenID Connect). The provider names them by issuer and subject, which never change; an
-- e-mail address may. A user has one identity, so that two people never share a user.
create table user_identities (
  user_id uuid primary key references users,
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  created_at timestamptz(3) not null,
  constraint user_identities_subject unique (issuer, subject)
);

alter table user_challenges drop constraint user_challenges_purpose_check;
alter table user_challenges add constraint user_challenges_purpose_check
  check (purpose in ('enrol', 'sign-in', 'add-passkey', 'prove', 'oidc', 'new-app'));
