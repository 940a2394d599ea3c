-- The last four passwords of each user, hashed, also after the password was taken away: none may be chosen again (PCI DSS 8.3.7).
create table user_former_passwords (
  user_id uuid not null references users,
  hash text not null,
  created_at timestamptz(3) not null,
  primary key (user_id, hash)
);
insert into user_former_passwords (user_id, hash, created_at)
select user_id, hash, changed_at from user_passwords;

-- Since when a user may sign in without a break. One who has not for 90 days since is disabled (PCI DSS 8.2.6).
alter table users add column active_since timestamptz(3) not null default now();
