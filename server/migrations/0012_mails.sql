-- E-mails that wait to be sent. The text goes when it was sent or given up; the row stays for a day, so that they can be counted.
create table mails (
  id uuid primary key,
  -- What it is about, such as `receipts/…`.
  topic text not null check (length(topic) between 1 and 200),
  -- Recipient and text, sealed.
  content bytea,
  tries smallint not null default 0,
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  check ((content is null) = (due_at is null))
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_by_topic on mails (topic, created_at);
create index mails_by_age on mails (created_at) where due_at is null;
