-- One rotation at a time: the process that the only row names, until a time of the database. Its fence grows whenever a process takes
-- it, so that one that was taken for dead changes nothing any more.
create table vault.rotation (
  is_only boolean primary key default true check (is_only),
  fence bigint not null default 0,
  leased_until timestamptz(3) not null default '-infinity'
);
insert into vault.rotation default values;
