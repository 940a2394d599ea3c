-- Money that users have moved while their last proof of who they are was old: the sum of the last hour is limited.
create table user_money_moves (
  user_id uuid not null references users,
  moved_at timestamptz(3) not null,
  -- In the smallest unit of its currency.
  amount bigint not null check (amount >= 0)
);
create index user_money_moves_by_user on user_money_moves (user_id, moved_at);
