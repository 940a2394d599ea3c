-- Roles that an installation makes for itself, beside the built-in ones.
alter table roles add column is_custom boolean not null default false;
-- Null: since it was made.
alter table roles add column updated_at timestamptz(3);
-- Migrations add built-in roles, and never change one of these: no built-in slug begins like theirs.
alter table roles add constraint roles_custom_slug check (is_custom = starts_with(slug, 'custom-'));
alter table roles add constraint roles_custom_form check (
  not is_custom or (
    length(name) between 1 and 100 and length(description) <= 500 and updated_at is not null
    and cardinality(permissions) between 1 and 200 and assignable_to <@ '{user,api-key-pair}' and assignable_to <> '{}'
  )
);
create unique index roles_custom_name on roles (lower(name)) where is_custom;
create index api_key_pair_roles_by_role on api_key_pair_roles (role_id);
