-- What 0036 kept for processes that wrote attempts elsewhere, and a table that 0123 has replaced. No code reads or writes them.
drop trigger older_operation_begins on gift_card_operations;
drop trigger older_operation_ends on gift_card_operations;
drop trigger older_operation_is_closed on gift_card_operations;
drop trigger older_inquiry_begins on account_updater_inquiries;
drop trigger older_inquiry_ends on account_updater_inquiries;
drop function attempt_of_older_operation();
drop function close_older_operation();
drop function attempt_of_older_inquiry();
drop view transaction_attempts;
drop table scheme_advices;
