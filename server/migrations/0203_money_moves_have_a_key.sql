alter table user_money_moves add column id uuid primary key default gen_random_uuid();
