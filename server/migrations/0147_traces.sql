-- The trace (W3C traceparent) in which an attempt or an event began, so that jobs go on with it. Null: it is not traced.
alter table attempts add column traceparent text;
alter table events add column traceparent text;
-- Not valid: the rows that are there have none, and reading them all would hold up payments.
alter table attempts add constraint attempts_traceparent_check check (length(traceparent) = 55) not valid;
alter table events add constraint events_traceparent_check check (length(traceparent) = 55) not valid;
